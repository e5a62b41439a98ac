package crud

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestAPlanChangesNothing(t *testing.T) {
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	null := tftypes.NewValue(tftypes.String, nil)
	text := func(value string) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }
	for title, one := range map[string]struct {
		name, config, status tftypes.Value
		nothing              bool
	}{
		"as it is":                            {text("a"), text("a"), text("up"), true},
		"the server may change a value":       {text("a"), text("a"), unknown, true},
		"another value":                       {text("b"), text("b"), unknown, false},
		"a value is removed":                  {null, null, unknown, false},
		"a value of another resource unknown": {unknown, unknown, unknown, false},
	} {
		shape := schema.Schema{Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Optional: true}, "status": schema.StringAttribute{Computed: true}}}
		kind := shape.Type().TerraformType(t.Context())
		raw := func(name, status tftypes.Value) tftypes.Value {
			return tftypes.NewValue(kind, map[string]tftypes.Value{"name": name, "status": status})
		}
		request := resource.ModifyPlanRequest{
			Config: tfsdk.Config{Schema: shape, Raw: raw(one.config, null)},
			Plan:   tfsdk.Plan{Schema: shape, Raw: raw(one.name, one.status)},
			State:  tfsdk.State{Schema: shape, Raw: raw(text("a"), text("up"))},
		}
		response := resource.ModifyPlanResponse{Plan: request.Plan}
		(&managed[thing]{}).ModifyPlan(t.Context(), request, &response)
		if response.Plan.Raw.Equal(request.State.Raw) != one.nothing {
			t.Errorf("%s: %s", title, response.Plan.Raw)
		}
	}
}
