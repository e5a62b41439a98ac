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

type role struct {
	ID          types.Int64  `tfsdk:"id"`
	Name        types.String `tfsdk:"name"`
	Permissions *permissions `tfsdk:"permissions"`
	Kind        types.String `tfsdk:"kind"`
	CreatedAt   types.String `tfsdk:"created_at"`
}

// NewRole is the resource landlord_role.
var NewRole = crud.New(crud.Actions[role]{
	Name: "role",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "A role with permissions, for members and API keys.",
			Attributes: map[string]schema.Attribute{
				"id":          attribute.ID("RoleView.id"),
				"name":        attribute.String("CreateRoleDto.name", attribute.Required, attribute.Trimmed()),
				"permissions": permissionsAttribute("CreateRoleDto.permissions", attribute.Required),
				"kind":        attribute.String("RoleView.kind", attribute.Stable),
				"created_at":  attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"id"}},
	Create: func(ctx context.Context, api *client.Client, plan *role) error {
		return client.Take(ctx, api.Main, mainapi.RolesCreate(api.TenantID, mainapi.CreateRoleDto{Name: plan.Name.ValueString(), Permissions: plan.Permissions.sent()}), plan.take)
	},
	Read: readRole,
	Update: func(ctx context.Context, api *client.Client, plan *role, _ role) error {
		sent := plan.Permissions.sent()
		_, err := client.Call(ctx, api.Main, mainapi.RolesUpdate(api.TenantID, plan.ID.ValueInt64(), mainapi.UpdateRoleDto{Name: plan.Name.ValueStringPointer(), Permissions: &sent}))
		if err != nil {
			return err
		}
		return readRole(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state role) error {
		_, err := client.Call(ctx, api.Main, mainapi.RolesDelete(api.TenantID, state.ID.ValueInt64()))
		return err
	},
})

func readRole(ctx context.Context, api *client.Client, state *role) error {
	return client.Take(ctx, api.Main, mainapi.RolesGet(api.TenantID, state.ID.ValueInt64()), state.take)
}

func (r *role) take(view *mainapi.RoleView) {
	r.ID = types.Int64Value(view.Id)
	r.Name = types.StringValue(view.Name)
	r.Permissions = permissionsOf(view.Permissions, r.Permissions)
	r.Kind = types.StringValue(view.Kind)
	r.CreatedAt = types.StringValue(view.CreatedAt)
}
