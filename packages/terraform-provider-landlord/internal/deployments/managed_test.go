package deployments

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// resourceWith is a landlord_deployment with these attributes, and null for the others.
func resourceWith(t *testing.T, values map[string]any) tftypes.Value {
	t.Helper()
	object := managedSchema(t.Context()).Type().TerraformType(t.Context()).(tftypes.Object)
	all := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		all[name] = tftypes.NewValue(kind, values[name])
	}
	return tftypes.NewValue(object, all)
}

// planned returns the plan for a change from one to the other. Nil: the resource is new.
func planned(t *testing.T, before, after map[string]any) resource.ModifyPlanResponse {
	t.Helper()
	schema := managedSchema(t.Context())
	raw := resourceWith(t, after)
	request := resource.ModifyPlanRequest{Config: tfsdk.Config{Schema: schema, Raw: raw}, Plan: tfsdk.Plan{Schema: schema, Raw: raw}, State: tfsdk.State{Schema: schema}}
	request.State.Raw = tftypes.NewValue(raw.Type(), nil)
	if before != nil {
		request.State.Raw = resourceWith(t, before)
	}
	response := resource.ModifyPlanResponse{Plan: request.Plan}
	planManaged(t.Context(), nil, request, &response)
	return response
}

func TestABackupThatIsNotKnownYetCanBePlanned(t *testing.T) {
	made := planned(t, nil, map[string]any{"tier": tftypes.UnknownValue, "restore_from": tftypes.UnknownValue})
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
		made := planned(t, before, after)
		var base types.Float64
		made.Diagnostics.Append(made.Plan.GetAttribute(t.Context(), path.Root("monthly_base"), &base)...)
		if made.Diagnostics.HasError() || base.IsUnknown() != (name != "") {
			t.Errorf("with an unknown %q, monthly_base is %s: %v", name, base, made.Diagnostics)
		}
	}
}
