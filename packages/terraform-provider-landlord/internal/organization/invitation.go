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

type invitation struct {
	ID         types.Int64  `tfsdk:"id"`
	Email      types.String `tfsdk:"email"`
	Roles      types.Set    `tfsdk:"roles"`
	DivisionID types.Int64  `tfsdk:"division_id"`
	Status     types.String `tfsdk:"status"`
	ExpiresAt  types.String `tfsdk:"expires_at"`
	CreatedAt  types.String `tfsdk:"created_at"`
}

// NewInvitation is the resource landlord_invitation.
var NewInvitation = crud.New(crud.Actions[invitation]{
	Name: "invitation",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "An invitation to the tenant, which Landlord mails. It stays in the state after the person has accepted it: landlord_member manages the member then. " +
				"The destruction cancels a pending invitation.",
			Attributes: map[string]schema.Attribute{
				"id":          attribute.ID("InvitationView.id"),
				"email":       attribute.Address("CreateInvitationDto.email", attribute.RequiredFixed),
				"roles":       attribute.IDs("CreateInvitationDto.roles", attribute.EitherFixed),
				"division_id": attribute.Int("CreateInvitationDto.division_id", attribute.OptionalFixed),
				"status":      attribute.String("InvitationView.status", attribute.Volatile),
				"expires_at":  attribute.String("InvitationView.expires_at", attribute.Stable),
				"created_at":  attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"id"}},
	Create: func(ctx context.Context, api *client.Client, plan *invitation) error {
		body := mainapi.CreateInvitationDto{Email: plan.Email.ValueString(), DivisionId: attribute.NullableInt(plan.DivisionID), Roles: knownIDs(plan.Roles)}
		return client.Take(ctx, api.Main, mainapi.InvitationsCreate(api.TenantID, body), plan.take)
	},
	Read: func(ctx context.Context, api *client.Client, state *invitation) error {
		return client.Take(ctx, api.Main, mainapi.InvitationsGet(api.TenantID, state.ID.ValueInt64()), state.take)
	},
	Delete: func(ctx context.Context, api *client.Client, state invitation) error {
		if state.Status.ValueString() != "pending" {
			return nil
		}
		_, err := client.Call(ctx, api.Main, mainapi.InvitationsDelete(api.TenantID, state.ID.ValueInt64()))
		return err
	},
})

func (i *invitation) take(view *mainapi.InvitationView) {
	i.ID = types.Int64Value(view.Id)
	if !attribute.IsSameAddress(view.Email, i.Email.ValueString()) {
		i.Email = types.StringValue(view.Email)
	}
	i.Roles = idsOfRoles(view.Roles, i.Roles)
	i.DivisionID = attribute.IntOf(view.DivisionId)
	i.Status = types.StringValue(view.Status)
	i.ExpiresAt = types.StringValue(view.ExpiresAt)
	i.CreatedAt = types.StringValue(view.CreatedAt)
}

// knownIDs are nil if the server chooses the roles.
func knownIDs(set types.Set) *[]int64 {
	if set.IsUnknown() {
		return nil
	}
	return attribute.IDsOf(set)
}
