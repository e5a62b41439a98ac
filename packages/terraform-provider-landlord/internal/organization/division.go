// Package organization has the resources of the organization: divisions, environments, roles, API keys and cloud accounts.
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

type division struct {
	ID          types.Int64  `tfsdk:"id"`
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
	Email       types.String `tfsdk:"email"`
	Protected   types.Bool   `tfsdk:"protected"`
	CreatedAt   types.String `tfsdk:"created_at"`
}

// NewDivision is the resource landlord_division.
var NewDivision = crud.New(crud.Actions[division]{
	Name: "division",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "A division of the tenant. The deletion of a division whose environments are empty deletes these environments too.",
			Attributes: map[string]schema.Attribute{
				"id":          attribute.ID("DivisionView.id"),
				"name":        attribute.String("CreateDivisionDto.name", attribute.Required, attribute.Trimmed()),
				"description": attribute.Text("CreateDivisionDto.description", attribute.Optional),
				"email":       attribute.Text("CreateDivisionDto.email", attribute.Optional),
				"protected":   attribute.Flag("CreateDivisionDto.protected", false, false),
				"created_at":  attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"id"}},
	Create: func(ctx context.Context, api *client.Client, plan *division) error {
		return client.Take(ctx, api.Main, mainapi.DivisionsCreate(api.TenantID, mainapi.CreateDivisionDto{
			Name: plan.Name.ValueString(), Description: attribute.Nullable(plan.Description),
			Email: attribute.Nullable(plan.Email), Protected: plan.Protected.ValueBoolPointer(),
		}), plan.take)
	},
	Read: readDivision,
	Update: func(ctx context.Context, api *client.Client, plan *division, _ division) error {
		_, err := client.Call(ctx, api.Main, mainapi.DivisionsUpdate(api.TenantID, plan.ID.ValueInt64(), mainapi.UpdateDivisionDto{
			Name: plan.Name.ValueStringPointer(), Description: attribute.Nullable(plan.Description),
			Email: attribute.Nullable(plan.Email), Protected: plan.Protected.ValueBoolPointer(),
		}))
		if err != nil {
			return err
		}
		return readDivision(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state division) error {
		_, err := client.Call(ctx, api.Main, mainapi.DivisionsDelete(api.TenantID, state.ID.ValueInt64(), api.ProtectionCode()))
		return err
	},
})

func readDivision(ctx context.Context, api *client.Client, state *division) error {
	return client.Take(ctx, api.Main, mainapi.DivisionsGet(api.TenantID, state.ID.ValueInt64()), state.take)
}

func (d *division) take(view *mainapi.DivisionView) {
	d.ID = types.Int64Value(view.Id)
	d.Name = types.StringValue(view.Name)
	d.Description = attribute.TextOf(view.Description, d.Description)
	d.Email = attribute.TextOf(view.Email, d.Email)
	d.Protected = types.BoolValue(view.Protected)
	d.CreatedAt = types.StringValue(view.CreatedAt)
}
