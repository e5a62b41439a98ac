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

type member struct {
	ID         types.Int64  `tfsdk:"id"`
	Email      types.String `tfsdk:"email"`
	Roles      types.Set    `tfsdk:"roles"`
	Active     types.Bool   `tfsdk:"active"`
	Name       types.String `tfsdk:"name"`
	DivisionID types.Int64  `tfsdk:"division_id"`
	CreatedAt  types.String `tfsdk:"created_at"`
}

// NewMember is the resource landlord_member.
var NewMember = crud.New(crud.Actions[member]{
	Name: "member",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "The roles of a person who is a member already. Nobody becomes a member by an API: use landlord_invitation first. The owner and the member of the key cannot be managed. " +
				"The destruction removes the member from the tenant.",
			Attributes: map[string]schema.Attribute{
				"id":          attribute.ID("MemberView.id"),
				"email":       attribute.Address("CreateInvitationDto.email", attribute.RequiredFixed),
				"roles":       attribute.IDs("UpdateMemberDto.roles", attribute.Required),
				"active":      attribute.Flag("UpdateMemberDto.active", true, false),
				"name":        attribute.String("MemberView.name", attribute.Volatile),
				"division_id": attribute.Int("MemberView.division_id", attribute.Stable),
				"created_at":  attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"id"}},
	Create: func(ctx context.Context, api *client.Client, plan *member) error {
		id, err := memberWith(ctx, api, plan.Email.ValueString())
		if err != nil {
			return err
		}
		plan.ID = types.Int64Value(id)
		return updateMember(ctx, api, plan)
	},
	Read: readMember,
	Update: func(ctx context.Context, api *client.Client, plan *member, _ member) error {
		return updateMember(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state member) error {
		_, err := client.Call(ctx, api.Main, mainapi.MembersRemove(api.TenantID, state.ID.ValueInt64()))
		return err
	},
})

// memberWith returns the id of the member with the address.
func memberWith(ctx context.Context, api *client.Client, email string) (int64, error) {
	results := mostResults
	answer, err := client.Call(ctx, api.Main, mainapi.MembersList(api.TenantID, mainapi.MembersListQuery{Results: &results, Email: &email}))
	if err != nil {
		return 0, err
	}
	for _, one := range answer.Body.Items {
		if attribute.IsSameAddress(one.Email, email) {
			return one.Id, nil
		}
	}
	return 0, client.NotFound("the tenant has no member with the address %s: the person must accept an invitation first", email)
}

func updateMember(ctx context.Context, api *client.Client, plan *member) error {
	body := mainapi.UpdateMemberDto{Active: plan.Active.ValueBoolPointer(), Roles: attribute.IDsOf(plan.Roles)}
	if _, err := client.Call(ctx, api.Main, mainapi.MembersUpdate(api.TenantID, plan.ID.ValueInt64(), body)); err != nil {
		return err
	}
	return readMember(ctx, api, plan)
}

func readMember(ctx context.Context, api *client.Client, state *member) error {
	return client.Take(ctx, api.Main, mainapi.MembersGet(api.TenantID, state.ID.ValueInt64()), state.take)
}

func (m *member) take(view *mainapi.MemberView) {
	m.ID = types.Int64Value(view.Id)
	if !attribute.IsSameAddress(view.Email, m.Email.ValueString()) {
		m.Email = types.StringValue(view.Email)
	}
	m.Roles = idsOfRoles(view.Roles, m.Roles)
	m.Active = types.BoolValue(view.Active)
	m.Name = types.StringValue(view.Name)
	m.DivisionID = attribute.IntOf(view.DivisionId)
	m.CreatedAt = types.StringValue(view.CreatedAt)
}

func idsOfRoles(roles []mainapi.NamedRoleView, before types.Set) types.Set {
	ids := make([]int64, len(roles))
	for index, role := range roles {
		ids[index] = role.Id
	}
	return attribute.IDSetOf(ids, before)
}
