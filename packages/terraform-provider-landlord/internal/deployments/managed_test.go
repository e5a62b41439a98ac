package deployments

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// resourceWith is a landlord_deployment with these attributes, and null for the others.
func resourceWith(t *testing.T, values map[string]any) tftypes.Value {
	t.Helper()
	object := managedSchema(t.Context()).Type().TerraformType(t.Context()).(tftypes.Object)
	all := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		if value, ok := values[name].(tftypes.Value); ok {
			all[name] = value
			continue
		}
		all[name] = tftypes.NewValue(kind, values[name])
	}
	return tftypes.NewValue(object, all)
}

// planned returns the plan for a change from one to the other. Nil: the resource is new.
func planned(t *testing.T, api *client.Client, before, after map[string]any) resource.ModifyPlanResponse {
	t.Helper()
	schema := managedSchema(t.Context())
	raw := resourceWith(t, after)
	request := resource.ModifyPlanRequest{Config: tfsdk.Config{Schema: schema, Raw: raw}, Plan: tfsdk.Plan{Schema: schema, Raw: raw}, State: tfsdk.State{Schema: schema}}
	request.State.Raw = tftypes.NewValue(raw.Type(), nil)
	if before != nil {
		request.State.Raw = resourceWith(t, before)
	}
	response := resource.ModifyPlanResponse{Plan: request.Plan}
	planManaged(t.Context(), api, request, &response)
	return response
}

func TestABackupThatIsNotKnownYetCanBePlanned(t *testing.T) {
	made := planned(t, nil, nil, map[string]any{"tier": tftypes.UnknownValue, "restore_from": tftypes.UnknownValue})
	if made.Diagnostics.HasError() {
		t.Error(made.Diagnostics)
	}
}

// Otherwise Terraform refuses the result of the upgrade, because the plan promises the values before.
func TestAShapeThatIsNotKnownYetCanBeAnUpgrade(t *testing.T) {
	before := map[string]any{"tier": "small", "managed_tier": "standard", "monthly_base": 12.5}
	for _, name := range []string{"", "tier", "managed_tier", "storage"} {
		after := maps.Clone(before)
		if name != "" {
			after[name] = tftypes.UnknownValue
		}
		made := planned(t, nil, before, after)
		var base types.Float64
		made.Diagnostics.Append(made.Plan.GetAttribute(t.Context(), path.Root("monthly_base"), &base)...)
		if made.Diagnostics.HasError() || base.IsUnknown() != (name != "") {
			t.Errorf("with an unknown %q, monthly_base is %s: %v", name, base, made.Diagnostics)
		}
	}
}

// The first plan of a new tenant also creates its first environment.
func TestAPlanWithoutAPriceSaysWhy(t *testing.T) {
	api := mainAPI(t, map[string]string{"GET /tenants/1/structure": `{"divisions": [{"id": 2, "environments": []}]}`})
	made := planned(t, api, nil, map[string]any{"division_id": 2, "environment_id": tftypes.UnknownValue, "cloud": "aws", "region": "us-east-1", "tier": "small"})
	if warnings := made.Diagnostics.Warnings(); made.Diagnostics.HasError() || len(warnings) != 1 || warnings[0].Summary() != "The price is not known" {
		t.Errorf("reported %v", made.Diagnostics)
	}
}

func TestAPlanWithoutAPriceNamesWhatIsUnknown(t *testing.T) {
	unknown := tftypes.UnknownValue
	storage := managedSchema(t.Context()).Type().TerraformType(t.Context()).(tftypes.Object).AttributeTypes["storage"].(tftypes.Object)
	size := map[string]tftypes.Value{"type": tftypes.NewValue(tftypes.String, nil), "size": tftypes.NewValue(tftypes.Number, unknown)}
	known := map[string]any{"cloud": "aws", "region": "us-east-1", "tier": "small", "division_id": 2, "environment_id": 3}
	cases := []struct {
		before, unknown map[string]any
		first, names    string
	}{
		{nil, map[string]any{"cloud": unknown, "region": unknown, "tier": unknown}, "cloud", "cloud, region, tier."},
		{nil, map[string]any{"tier": unknown}, "tier", "tier."},
		{nil, map[string]any{"availability_mode": unknown, "storage": tftypes.NewValue(storage, size)}, "storage", "storage, availability_mode."},
		{known, map[string]any{"tier": unknown}, "tier", "tier."},
	}
	for _, one := range cases {
		after := maps.Clone(known)
		maps.Copy(after, one.unknown)
		warnings := planned(t, nil, one.before, after).Diagnostics.Warnings()
		if len(warnings) != 1 || warnings[0].Summary() != "The price is not known" || !strings.Contains(warnings[0].Detail(), "makes them: "+one.names) {
			t.Errorf("for %s: reported %v", one.names, warnings)
			continue
		}
		if at, ok := warnings[0].(diag.DiagnosticWithPath); !ok || !at.Path().Equal(path.Root(one.first)) {
			t.Errorf("the warning is not at %s: %v", one.first, warnings[0])
		}
	}
}
