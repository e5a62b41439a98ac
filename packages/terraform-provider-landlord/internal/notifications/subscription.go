package notifications

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/texts"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type subscription struct {
	ID                  types.Int64  `tfsdk:"id"`
	DivisionID          types.Int64  `tfsdk:"division_id"`
	ChannelID           types.Int64  `tfsdk:"channel_id"`
	MessageTypes        types.Set    `tfsdk:"message_types"`
	ScopeTenantIDs      types.Set    `tfsdk:"scope_tenant_ids"`
	ScopeDivisionIDs    types.Set    `tfsdk:"scope_division_ids"`
	ScopeEnvironmentIDs types.Set    `tfsdk:"scope_environment_ids"`
	ScopeDeploymentIDs  types.Set    `tfsdk:"scope_deployment_ids"`
	CreatedAt           types.String `tfsdk:"created_at"`
}

// NewSubscription is the resource landlord_subscription.
var NewSubscription = crud.New(crud.Actions[subscription]{
	Name: "subscription",
	Schema: func(context.Context) schema.Schema {
		allowed := setvalidator.ValueStringsAre(stringvalidator.OneOf(texts.Values("SubscriptionDto.message_types")...))
		return schema.Schema{
			MarkdownDescription: "A subscription of a channel. A channel without subscriptions receives every event. Every change replaces the subscription.",
			Attributes: map[string]schema.Attribute{
				"id":                    attribute.ID("SubscriptionView.id"),
				"division_id":           attribute.Int("path.division_id", attribute.OptionalFixed),
				"channel_id":            attribute.Int("path.channel_id", attribute.RequiredFixed),
				"message_types":         attribute.Texts("SubscriptionDto.message_types", attribute.RequiredFixed, setvalidator.SizeAtLeast(1), allowed),
				"scope_tenant_ids":      attribute.IDs("SubscriptionDto.scope_tenant_ids", attribute.OptionalFixed),
				"scope_division_ids":    attribute.IDs("SubscriptionDto.scope_division_ids", attribute.OptionalFixed),
				"scope_environment_ids": attribute.IDs("SubscriptionDto.scope_environment_ids", attribute.OptionalFixed),
				"scope_deployment_ids":  attribute.IDs("SubscriptionDto.scope_deployment_ids", attribute.OptionalFixed),
				"created_at":            attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"channel_id", "id"}, {"division_id", "channel_id", "id"}},
	Create: func(ctx context.Context, api *client.Client, plan *subscription) error {
		body := mainapi.SubscriptionDto{
			ScopeTenantIds: attribute.IDsOf(plan.ScopeTenantIDs), ScopeDivisionIds: attribute.IDsOf(plan.ScopeDivisionIDs),
			ScopeEnvironmentIds: attribute.IDsOf(plan.ScopeEnvironmentIDs), ScopeDeploymentIds: attribute.IDsOf(plan.ScopeDeploymentIDs),
			MessageTypes: attribute.ListOf(plan.MessageTypes),
		}
		channelID := plan.ChannelID.ValueInt64()
		request := mainapi.SubscriptionsCreate(api.TenantID, channelID, body)
		if !plan.DivisionID.IsNull() {
			request = mainapi.SubscriptionsCreateInDivision(api.TenantID, plan.DivisionID.ValueInt64(), channelID, body)
		}
		answer, err := client.Call(ctx, api.Main, request)
		if err != nil {
			return err
		}
		plan.ID = types.Int64Value(answer.Body.Id)
		return readSubscription(ctx, api, plan)
	},
	Read: readSubscription,
	Delete: func(ctx context.Context, api *client.Client, state subscription) error {
		channelID, id := state.ChannelID.ValueInt64(), state.ID.ValueInt64()
		request := mainapi.SubscriptionsDelete(api.TenantID, channelID, id)
		if !state.DivisionID.IsNull() {
			request = mainapi.SubscriptionsDeleteInDivision(api.TenantID, state.DivisionID.ValueInt64(), channelID, id)
		}
		_, err := client.Call(ctx, api.Main, request)
		return err
	},
})

func readSubscription(ctx context.Context, api *client.Client, state *subscription) error {
	channelID, id := state.ChannelID.ValueInt64(), state.ID.ValueInt64()
	request := mainapi.SubscriptionsGet(api.TenantID, channelID, id)
	if !state.DivisionID.IsNull() {
		request = mainapi.SubscriptionsGetInDivision(api.TenantID, state.DivisionID.ValueInt64(), channelID, id)
	}
	return client.Take(ctx, api.Main, request, state.take)
}

func (s *subscription) take(view *mainapi.SubscriptionView) {
	s.MessageTypes = attribute.SetOf(view.MessageTypes, s.MessageTypes)
	s.ScopeTenantIDs = attribute.IDSetOf(idsOf(view.ScopeTenants), s.ScopeTenantIDs)
	s.ScopeDivisionIDs = attribute.IDSetOf(idsOf(view.ScopeDivisions), s.ScopeDivisionIDs)
	s.ScopeEnvironmentIDs = attribute.IDSetOf(idsOf(view.ScopeEnvironments), s.ScopeEnvironmentIDs)
	s.ScopeDeploymentIDs = attribute.IDSetOf(idsOf(view.ScopeDeployments), s.ScopeDeploymentIDs)
	s.CreatedAt = types.StringValue(view.CreatedAt)
}

func idsOf(scope *[]mainapi.ScopedThingView) []int64 {
	if scope == nil {
		return nil
	}
	ids := make([]int64, len(*scope))
	for index, one := range *scope {
		ids[index] = one.Id
	}
	return ids
}
