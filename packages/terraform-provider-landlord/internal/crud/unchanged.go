package crud

import (
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// changesNothing is true when the plan differs from the state only in values that nobody has set. Terraform plans an object that the
// user has left out as null, the framework takes this for a change, and marks each attribute that the server can change as unknown.
// Its plan modifiers bring the object back, not these attributes, so that each plan would have a change.
func changesNothing(request resource.ModifyPlanRequest) bool {
	var plan, state, config map[string]tftypes.Value
	for value, members := range map[*tftypes.Value]*map[string]tftypes.Value{
		&request.Plan.Raw: &plan, &request.State.Raw: &state, &request.Config.Raw: &config,
	} {
		if value.IsNull() || value.As(members) != nil {
			return false
		}
	}
	for name, value := range plan {
		isUnset := config[name].IsNull() && !value.IsFullyKnown()
		if !isUnset && !value.Equal(state[name]) {
			return false
		}
	}
	return true
}
