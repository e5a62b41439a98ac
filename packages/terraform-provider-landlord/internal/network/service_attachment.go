package network

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type serviceAttachment struct {
	ID                   types.Int64    `tfsdk:"id"`
	DeploymentID         types.Int64    `tfsdk:"deployment_id"`
	Name                 types.String   `tfsdk:"name"`
	ConnectionPreference types.String   `tfsdk:"connection_preference"`
	ConsumerAcceptLists  types.Set      `tfsdk:"consumer_accept_lists"`
	EnableProxyProtocol  types.Bool     `tfsdk:"enable_proxy_protocol"`
	Remarks              types.String   `tfsdk:"remarks"`
	ServiceAttachmentURI types.String   `tfsdk:"service_attachment_uri"`
	State                types.String   `tfsdk:"state"`
	CreatedAt            types.String   `tfsdk:"created_at"`
	Timeouts             timeouts.Value `tfsdk:"timeouts"`
}

// NewServiceAttachment is the resource landlord_service_attachment.
var NewServiceAttachment = crud.New(crud.Actions[serviceAttachment]{
	Name: "service_attachment",
	Schema: func(ctx context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "A service attachment (Private Service Connect of Google Cloud) of a deployment. Every change replaces the attachment.",
			Attributes: map[string]schema.Attribute{
				"id":                     attribute.ID("ServiceAttachmentView.id"),
				"deployment_id":          attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"name":                   attribute.String("CreateServiceAttachmentDto.name", attribute.RequiredFixed, attribute.Trimmed()),
				"remarks":                attribute.Text("CreateServiceAttachmentDto.remarks", attribute.OptionalFixed),
				"created_at":             attribute.CreatedAt(),
				"timeouts":               timeouts.Attributes(ctx, timeouts.Opts{Create: true, Delete: true}),
				"connection_preference":  attribute.WithDefault("CreateServiceAttachmentDto.connection_preference", "accept_manual", true),
				"consumer_accept_lists":  attribute.Texts("CreateServiceAttachmentDto.consumer_accept_lists", attribute.OptionalFixed),
				"enable_proxy_protocol":  attribute.Flag("CreateServiceAttachmentDto.enable_proxy_protocol", false, true),
				"service_attachment_uri": attribute.String("ServiceAttachmentView.service_attachment_uri", attribute.Stable),
				"state":                  attribute.String("ServiceAttachmentView.state", attribute.Stable),
			},
		}
	},
	ImportIDs: importIDs,
	Timeouts:  func(model serviceAttachment) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *serviceAttachment) error {
		answer, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.ServiceAttachmentsCreate(plan.DeploymentID.ValueInt64(), plan.sent()))
		if err != nil {
			return err
		}
		if err := created(ctx, api, answer.Header, "ld-attachment", &plan.ID); err != nil {
			return err
		}
		return readServiceAttachment(ctx, api, plan)
	},
	Read: readServiceAttachment,
	Delete: func(ctx context.Context, api *client.Client, state serviceAttachment) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.ServiceAttachmentsDelete(state.DeploymentID.ValueInt64(), state.ID.ValueInt64()))
		if err != nil {
			return err
		}
		return api.WaitForHeader(ctx, answer.Header)
	},
})

func (a *serviceAttachment) sent() supervisorapi.CreateServiceAttachmentDto {
	projects := attribute.ListOf(a.ConsumerAcceptLists)
	return supervisorapi.CreateServiceAttachmentDto{
		Name: a.Name.ValueString(), ConnectionPreference: a.ConnectionPreference.ValueStringPointer(), ConsumerAcceptLists: &projects,
		EnableProxyProtocol: a.EnableProxyProtocol.ValueBoolPointer(), Remarks: attribute.Nullable(a.Remarks),
	}
}

func readServiceAttachment(ctx context.Context, api *client.Client, state *serviceAttachment) error {
	answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.ServiceAttachmentsList(state.DeploymentID.ValueInt64()))
	if err != nil {
		return err
	}
	view, err := client.Find(answer.Body, state.ID.ValueInt64(), func(one supervisorapi.ServiceAttachmentView) int64 { return one.Id }, "service attachment")
	if err != nil {
		return err
	}
	state.take(view)
	return nil
}

func (a *serviceAttachment) take(view supervisorapi.ServiceAttachmentView) {
	a.Name = types.StringValue(view.Name)
	a.Remarks = attribute.TextOf(view.Remarks, a.Remarks)
	a.CreatedAt = types.StringValue(view.CreatedAt)
	a.ConnectionPreference = types.StringValue(view.ConnectionPreference)
	a.ConsumerAcceptLists = attribute.SetOf(view.ConsumerAcceptLists, a.ConsumerAcceptLists)
	a.EnableProxyProtocol = types.BoolValue(view.EnableProxyProtocol)
	a.ServiceAttachmentURI = attribute.StringOf(view.ServiceAttachmentUri)
	a.State = types.StringValue(view.State)
}
