// Package notifications has the resources for notifications: channels and their subscriptions.
package notifications

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
	"github.com/oapi-codegen/nullable"
)

// mask is what the server shows instead of a secret.
const mask = "********"

type channel struct {
	ID             types.Int64      `tfsdk:"id"`
	DivisionID     types.Int64      `tfsdk:"division_id"`
	Channel        types.String     `tfsdk:"channel"`
	Name           types.String     `tfsdk:"name"`
	Destination    types.String     `tfsdk:"destination"`
	Settings       *channelSettings `tfsdk:"settings"`
	Remarks        types.String     `tfsdk:"remarks"`
	Enabled        types.Bool       `tfsdk:"enabled"`
	RotateTrigger  types.String     `tfsdk:"rotate_trigger"`
	OverlapSeconds types.Int64      `tfsdk:"overlap_seconds"`
	Secret         types.String     `tfsdk:"secret"`
	CreatedAt      types.String     `tfsdk:"created_at"`
}

type channelSettings struct {
	Slack   *slackSettings   `tfsdk:"slack"`
	Webhook *webhookSettings `tfsdk:"webhook"`
}

type slackSettings struct {
	Channel  types.String `tfsdk:"channel"`
	Username types.String `tfsdk:"username"`
}

type webhookSettings struct {
	Headers types.Map `tfsdk:"headers"`
}

// NewChannel is the resource landlord_channel.
var NewChannel = crud.New(crud.Actions[channel]{
	Name:       "channel",
	Schema:     channelSchema,
	ImportIDs:  [][]string{{"id"}, {"division_id", "id"}},
	ModifyPlan: crud.SecretOfRotation,
	Create:     createChannel,
	Read:       readChannel,
	Update: func(ctx context.Context, api *client.Client, plan *channel, state channel) error {
		if err := updateChannel(ctx, api, plan); err != nil {
			return err
		}
		plan.Secret = state.Secret
		if !plan.RotateTrigger.Equal(state.RotateTrigger) {
			// The new secret is shown only once, so nothing may fail after the rotation.
			return rotateChannel(ctx, api, plan)
		}
		return readChannel(ctx, api, plan)
	},
	Delete: func(ctx context.Context, api *client.Client, state channel) error {
		request := mainapi.ChannelsDelete(api.TenantID, state.ID.ValueInt64())
		if !state.DivisionID.IsNull() {
			request = mainapi.ChannelsDeleteInDivision(api.TenantID, state.DivisionID.ValueInt64(), state.ID.ValueInt64())
		}
		_, err := client.Call(ctx, api.Main, request)
		return err
	},
})

func channelSchema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A channel for notifications: a Slack hook, a webhook or an e-mail address. With `division_id`, the channel receives events of the division only.",
		Attributes: map[string]schema.Attribute{
			"id":              attribute.ID("ChannelView.id"),
			"division_id":     attribute.Int("path.division_id", attribute.OptionalFixed),
			"channel":         attribute.String("CreateChannelDto.channel", attribute.RequiredFixed),
			"name":            attribute.String("CreateChannelDto.name", attribute.Required, attribute.Trimmed()),
			"destination":     attribute.Secret(attribute.String("CreateChannelDto.destination", attribute.Required)),
			"remarks":         attribute.Text("CreateChannelDto.remarks", attribute.Optional),
			"enabled":         attribute.Flag("UpdateChannelDto.enabled", true, false),
			"rotate_trigger":  attribute.RotateTrigger(),
			"overlap_seconds": attribute.Int("RotateSecretDto.overlap_seconds", attribute.Optional, int64validator.AtLeast(0)),
			"secret":          attribute.Secret(attribute.String("ChannelWithSecretView.secret", attribute.Stable)),
			"created_at":      attribute.CreatedAt(),
			"settings": attribute.Object("CreateChannelDto.settings", attribute.Optional, map[string]schema.Attribute{
				"slack": attribute.Object("ChannelSettingsView.slack", attribute.Optional, map[string]schema.Attribute{
					"channel":  attribute.String("SlackSettingsView.channel", attribute.Optional),
					"username": attribute.String("SlackSettingsView.username", attribute.Optional),
				}),
				"webhook": attribute.Object("ChannelSettingsView.webhook", attribute.Optional, map[string]schema.Attribute{
					"headers": schema.MapAttribute{
						MarkdownDescription: "Headers of every request; at most 20. The API does not show the values, so a change of a value outside of Terraform is not seen.",
						ElementType:         types.StringType, Optional: true, Sensitive: true,
					},
				}),
			}),
		},
	}
}

func createChannel(ctx context.Context, api *client.Client, plan *channel) error {
	body := mainapi.CreateChannelDto{
		Channel: plan.Channel.ValueString(), Name: plan.Name.ValueString(), Destination: plan.Destination.ValueString(),
		Settings: plan.Settings.sent(), Remarks: attribute.Nullable(plan.Remarks),
	}
	request := mainapi.ChannelsCreate(api.TenantID, body)
	if !plan.DivisionID.IsNull() {
		request = mainapi.ChannelsCreateInDivision(api.TenantID, plan.DivisionID.ValueInt64(), body)
	}
	created, err := client.Call(ctx, api.Main, request)
	if err != nil {
		return err
	}
	plan.ID = types.Int64Value(created.Body.Id)
	plan.Secret = types.StringPointerValue(created.Body.Secret)
	if plan.Enabled.ValueBool() {
		return readChannel(ctx, api, plan)
	}
	failed := updateChannel(ctx, api, plan)
	if err := readChannel(ctx, api, plan); err != nil || failed == nil {
		return errors.Join(failed, err)
	}
	plan.Enabled = types.BoolValue(false)
	return crud.AfterCreation(failed)
}

func updateChannel(ctx context.Context, api *client.Client, plan *channel) error {
	body := mainapi.UpdateChannelDto{
		Name: plan.Name.ValueStringPointer(), Destination: plan.Destination.ValueStringPointer(), Settings: plan.Settings.sent(),
		Remarks: attribute.Nullable(plan.Remarks), Enabled: plan.Enabled.ValueBoolPointer(),
	}
	request := mainapi.ChannelsUpdate(api.TenantID, plan.ID.ValueInt64(), body)
	if !plan.DivisionID.IsNull() {
		request = mainapi.ChannelsUpdateInDivision(api.TenantID, plan.DivisionID.ValueInt64(), plan.ID.ValueInt64(), body)
	}
	_, err := client.Call(ctx, api.Main, request)
	return err
}

func rotateChannel(ctx context.Context, api *client.Client, plan *channel) error {
	body := mainapi.RotateSecretDto{OverlapSeconds: attribute.KnownInt(plan.OverlapSeconds)}
	request := mainapi.ChannelsRotate(api.TenantID, plan.ID.ValueInt64(), body)
	if !plan.DivisionID.IsNull() {
		request = mainapi.ChannelsRotateInDivision(api.TenantID, plan.DivisionID.ValueInt64(), plan.ID.ValueInt64(), body)
	}
	answer, err := client.Call(ctx, api.Main, request)
	if err != nil {
		return err
	}
	plan.Secret = types.StringPointerValue(answer.Body.Secret)
	return nil
}

func readChannel(ctx context.Context, api *client.Client, state *channel) error {
	request := mainapi.ChannelsGet(api.TenantID, state.ID.ValueInt64())
	if !state.DivisionID.IsNull() {
		request = mainapi.ChannelsGetInDivision(api.TenantID, state.DivisionID.ValueInt64(), state.ID.ValueInt64())
	}
	return client.Take(ctx, api.Main, request, state.take)
}

func (c *channel) take(view *mainapi.ChannelView) {
	c.ID = types.Int64Value(view.Id)
	c.Channel = types.StringValue(view.Channel)
	c.Name = types.StringValue(view.Name)
	// A key that may only read sees a part of the destination.
	if !strings.Contains(view.Destination, mask) || c.Destination.IsNull() {
		c.Destination = types.StringValue(view.Destination)
	}
	c.Remarks = attribute.TextOf(view.Remarks, c.Remarks)
	c.Enabled = types.BoolValue(view.Enabled)
	c.CreatedAt = types.StringValue(view.CreatedAt)
	c.Settings = channelSettingsOf(view.Settings, c.Settings)
}

func (s *channelSettings) sent() nullable.Nullable[mainapi.ChannelSettingsView] {
	if s == nil {
		return nullable.NewNullNullable[mainapi.ChannelSettingsView]()
	}
	var sent mainapi.ChannelSettingsView
	if s.Slack != nil {
		sent.Slack = &mainapi.SlackSettingsView{Channel: s.Slack.Channel.ValueStringPointer(), Username: s.Slack.Username.ValueStringPointer()}
	}
	if s.Webhook != nil {
		sent.Webhook = &mainapi.WebhookSettingsView{}
		if !s.Webhook.Headers.IsNull() {
			headers := map[string]string{}
			s.Webhook.Headers.ElementsAs(context.Background(), &headers, false)
			sent.Webhook.Headers = &headers
		}
	}
	return nullable.NewNullableWithValue(sent)
}

// channelSettingsOf keeps the values of headers that the server masks.
func channelSettingsOf(member nullable.Nullable[mainapi.ChannelSettingsView], before *channelSettings) *channelSettings {
	view, err := member.Get()
	if err != nil {
		return nil
	}
	found := &channelSettings{}
	if view.Slack != nil {
		found.Slack = &slackSettings{Channel: types.StringPointerValue(view.Slack.Channel), Username: types.StringPointerValue(view.Slack.Username)}
	}
	if view.Webhook != nil {
		found.Webhook = &webhookSettings{Headers: types.MapNull(types.StringType)}
		if view.Webhook.Headers != nil {
			known := map[string]attr.Value{}
			if before != nil && before.Webhook != nil {
				known = before.Webhook.Headers.Elements()
			}
			headers := map[string]attr.Value{}
			for name, value := range *view.Webhook.Headers {
				headers[name] = types.StringValue(value)
				if kept, ok := known[name]; ok && value == mask {
					headers[name] = kept
				}
			}
			found.Webhook.Headers = types.MapValueMust(types.StringType, headers)
		}
	}
	return found
}
