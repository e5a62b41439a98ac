package crud

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

var shown = schema.Schema{Attributes: map[string]schema.Attribute{
	"name":  schema.StringAttribute{Required: true},
	"cidrs": schema.SetAttribute{Required: true, ElementType: types.StringType},
	"storage": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
		"size": schema.Int64Attribute{Optional: true},
	}},
}}

func TestAFaultOfAMemberIsAtItsAttribute(t *testing.T) {
	cases := map[string]path.Path{
		"/name":            path.Root("name"),
		"/deployment_name": path.Root("name"),
		"/storage/size":    path.Root("storage").AtName("size"),
		"/storage/other":   path.Root("storage"),
		"/cidrs/3":         path.Root("cidrs"),
	}
	for pointer, expected := range cases {
		found, ok := attributeOf(shown, map[string]string{"deployment_name": "name"}, pointer)
		if !ok || !found.Equal(expected) {
			t.Errorf("%s is at %s", pointer, found)
		}
	}
	if found, ok := attributeOf(shown, nil, "/unknown"); ok {
		t.Errorf("/unknown is at %s", found)
	}
}

func TestEveryFaultIsReported(t *testing.T) {
	var to diag.Diagnostics
	report(&to, shown, nil, "create", "backup_schedule", &client.Problem{
		Status: 400, Code: "validation_failed", Detail: "wrong",
		FieldIssues: []client.FieldIssue{{Path: "/name", Reason: "must be short"}, {Path: "/other", Reason: "is unknown"}},
	})
	if len(to) != 2 || to[0].Summary() != "Landlord did not create the backup schedule" || !strings.Contains(to[1].Detail(), "is unknown") {
		t.Errorf("reported %v", to)
	}
}

func TestAProtectedResourceSaysWhatToDo(t *testing.T) {
	var to diag.Diagnostics
	report(&to, shown, nil, "delete", "division", &client.Problem{Status: 400, Code: "protection_code_required", Detail: "needs a code"})
	if len(to) != 1 || !strings.Contains(to[0].Detail(), "LANDLORD_PROTECTION_CODE") {
		t.Errorf("reported %v", to)
	}
}
