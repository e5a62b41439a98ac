package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// SecretOfRotation says in the plan that the secret changes if `rotate_trigger` changes.
func SecretOfRotation(ctx context.Context, _ *client.Client, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.State.Raw.IsNull() {
		return
	}
	trigger := path.Root("rotate_trigger")
	var before, after types.String
	response.Diagnostics.Append(request.State.GetAttribute(ctx, trigger, &before)...)
	response.Diagnostics.Append(request.Plan.GetAttribute(ctx, trigger, &after)...)
	if !before.Equal(after) {
		response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root("secret"), types.StringUnknown())...)
	}
}
