package crud

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

type thing struct {
	ID     types.Int64  `tfsdk:"id"`
	Status types.String `tfsdk:"status"`
}

// created returns what the creation answers to Terraform. The server ends each connection.
func created(t *testing.T, create func(ctx context.Context, api *client.Client, plan *thing) error) resource.CreateResponse {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		connection, _, err := response.(http.Hijacker).Hijack()
		if err == nil {
			connection.Close()
		}
	}))
	t.Cleanup(server.Close)
	api, err := client.New(t.Context(), client.Settings{URL: server.URL, APIKey: "secret", TenantID: 1})
	if err != nil {
		t.Fatal(err)
	}
	shape := schema.Schema{Attributes: map[string]schema.Attribute{"id": schema.Int64Attribute{Computed: true}, "status": schema.StringAttribute{Computed: true}}}
	kind := shape.Type().TerraformType(t.Context())
	request := resource.CreateRequest{Plan: tfsdk.Plan{Schema: shape, Raw: tftypes.NewValue(kind, map[string]tftypes.Value{
		"id": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue), "status": tftypes.NewValue(tftypes.String, tftypes.UnknownValue),
	})}}
	response := resource.CreateResponse{State: tfsdk.State{Schema: shape, Raw: tftypes.NewValue(kind, nil)}}
	one := managed[thing]{api: api, actions: Actions[thing]{Name: "api_key", Create: create}}
	one.Create(t.Context(), request, &response)
	return response
}

func TestACreationWithoutAnAnswerWarnsOfASecondResource(t *testing.T) {
	response := created(t, func(ctx context.Context, api *client.Client, _ *thing) error {
		_, err := client.Call(ctx, api.Main, mainapi.DivisionsCreate(1, mainapi.CreateDivisionDto{}))
		return err
	})
	if !response.State.Raw.IsNull() {
		t.Error("a resource without an id is in the state")
	}
	if warnings := response.Diagnostics.Warnings(); !response.Diagnostics.HasError() || len(warnings) != 1 || warnings[0].Summary() != "The api key may exist" {
		t.Errorf("reported %v", response.Diagnostics)
	}
}

// Otherwise Terraform replaces a deployment with its data, because its spend limit is refused.
func TestARefusedChangeAfterTheCreationIsAWarning(t *testing.T) {
	refused := &client.Problem{Status: 400, Code: "validation_failed", FieldIssues: []client.FieldIssue{{Path: "/status", Reason: "must be short"}}}
	response := created(t, func(_ context.Context, _ *client.Client, plan *thing) error {
		plan.ID, plan.Status = types.Int64Value(7), types.StringValue("planned")
		return AfterCreation(refused)
	})
	warnings := response.Diagnostics.Warnings()
	if response.Diagnostics.HasError() || len(warnings) != 1 || warnings[0].Summary() != "Landlord created the api key, and did not change it" {
		t.Fatalf("reported %v", response.Diagnostics)
	}
	if at, ok := warnings[0].(diag.DiagnosticWithPath); !ok || !at.Path().Equal(path.Root("status")) || !strings.Contains(warnings[0].Detail(), "must be short") {
		t.Errorf("reported %v", warnings[0])
	}
	var id types.Int64
	if response.State.GetAttribute(t.Context(), path.Root("id"), &id).HasError() || id.ValueInt64() != 7 {
		t.Errorf("the id is %s", id)
	}
	unread := created(t, func(_ context.Context, _ *client.Client, plan *thing) error {
		plan.ID = types.Int64Value(7)
		return AfterCreation(refused)
	})
	if !unread.Diagnostics.HasError() {
		t.Error("a resource that was not read is complete")
	}
}

func TestAFailureAfterTheCreationKeepsTheResource(t *testing.T) {
	response := created(t, func(ctx context.Context, api *client.Client, plan *thing) error {
		plan.ID = types.Int64Value(9007199254740991)
		return errors.New("operation 7 has failed")
	})
	var id types.Int64
	response.Diagnostics.Append(response.State.GetAttribute(t.Context(), path.Root("id"), &id)...)
	if id.ValueInt64() != 9007199254740991 || !response.State.Raw.IsFullyKnown() || len(response.Diagnostics.Errors()) != 1 || len(response.Diagnostics.Warnings()) != 0 {
		t.Errorf("the id is %s, reported %v", id, response.Diagnostics)
	}
}
