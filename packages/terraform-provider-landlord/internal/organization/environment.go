package organization

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type environment struct {
	ID          types.Int64  `tfsdk:"id"`
	DivisionID  types.Int64  `tfsdk:"division_id"`
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
	Protected   types.Bool   `tfsdk:"protected"`
	CreatedAt   types.String `tfsdk:"created_at"`
}

// NewEnvironment is the resource landlord_environment.
var NewEnvironment = crud.New(crud.Actions[environment]{
	Name: "environment",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "An environment of a division. An environment with deployments cannot be deleted.",
			Attributes: map[string]schema.Attribute{
				"id":          attribute.ID("EnvironmentView.id"),
				"division_id": attribute.Int("path.division_id", attribute.RequiredFixed),
				"name":        attribute.String("CreateEnvironmentDto.name", attribute.Required, attribute.Trimmed()),
				"description": attribute.Text("CreateEnvironmentDto.description", attribute.Optional),
				"protected":   attribute.Flag("CreateEnvironmentDto.protected", false, false),
				"created_at":  attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"division_id", "id"}},
	Create: func(ctx context.Context, api *client.Client, plan *environment) error {
		return client.Take(ctx, api.Main, mainapi.EnvironmentsCreate(api.TenantID, plan.DivisionID.ValueInt64(), mainapi.CreateEnvironmentDto{
			Name: plan.Name.ValueString(), Description: attribute.Nullable(plan.Description), Protected: plan.Protected.ValueBoolPointer(),
		}), plan.take)
	},
	Read: readEnvironment,
	Update: func(ctx context.Context, api *client.Client, plan *environment, _ environment) error {
		_, err := client.Call(ctx, api.Main, mainapi.EnvironmentsUpdate(api.TenantID, plan.DivisionID.ValueInt64(), plan.ID.ValueInt64(), mainapi.UpdateEnvironmentDto{
			Name: plan.Name.ValueStringPointer(), Description: attribute.Nullable(plan.Description), Protected: plan.Protected.ValueBoolPointer(),
		}))
		if err != nil {
			return err
		}
		return readEnvironment(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state environment) error {
		_, err := client.Call(ctx, api.Main, mainapi.EnvironmentsDelete(api.TenantID, state.DivisionID.ValueInt64(), state.ID.ValueInt64(), api.ProtectionCode()))
		return err
	},
})

func readEnvironment(ctx context.Context, api *client.Client, state *environment) error {
	return client.Take(ctx, api.Main, mainapi.EnvironmentsGet(api.TenantID, state.DivisionID.ValueInt64(), state.ID.ValueInt64()), state.take)
}

func (e *environment) take(view *mainapi.EnvironmentView) {
	e.ID = types.Int64Value(view.Id)
	e.Name = types.StringValue(view.Name)
	e.Description = attribute.TextOf(view.Description, e.Description)
	e.Protected = types.BoolValue(view.Protected)
	e.CreatedAt = types.StringValue(view.CreatedAt)
}
