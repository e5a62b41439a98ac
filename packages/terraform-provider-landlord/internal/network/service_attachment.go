package network

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
)

type serviceAttachment struct {
	connection
	ConnectionPreference types.String `tfsdk:"connection_preference"`
	ConsumerAcceptLists  types.Set    `tfsdk:"consumer_accept_lists"`
	EnableProxyProtocol  types.Bool   `tfsdk:"enable_proxy_protocol"`
	ServiceAttachmentURI types.String `tfsdk:"service_attachment_uri"`
	State                types.String `tfsdk:"state"`
}

// NewServiceAttachment is the resource landlord_service_attachment.
var NewServiceAttachment = newResource[serviceAttachment](kind[supervisorapi.CreateServiceAttachmentDto, supervisorapi.ServiceAttachmentView]{
	name: "service_attachment", spoken: "service attachment", record: "ServiceAttachment",
	description: "A service attachment (Private Service Connect of Google Cloud) of a deployment. Every change replaces the attachment.",
	own: map[string]schema.Attribute{
		"connection_preference":  attribute.WithDefault("CreateServiceAttachmentDto.connection_preference", "accept_manual", true),
		"consumer_accept_lists":  attribute.Texts("CreateServiceAttachmentDto.consumer_accept_lists", attribute.OptionalFixed),
		"enable_proxy_protocol":  attribute.Flag("CreateServiceAttachmentDto.enable_proxy_protocol", false, true),
		"service_attachment_uri": attribute.String("ServiceAttachmentView.service_attachment_uri", attribute.Stable),
		"state":                  attribute.String("ServiceAttachmentView.state", attribute.Stable),
	},
	header: "ld-attachment",
	create: supervisorapi.ServiceAttachmentsCreate,
	list:   supervisorapi.ServiceAttachmentsList,
	delete: supervisorapi.ServiceAttachmentsDelete,
	idOf:   func(view supervisorapi.ServiceAttachmentView) int64 { return view.Id },
})

func (a *serviceAttachment) sent() supervisorapi.CreateServiceAttachmentDto {
	projects := attribute.ListOf(a.ConsumerAcceptLists)
	return supervisorapi.CreateServiceAttachmentDto{
		Name: a.Name.ValueString(), ConnectionPreference: a.ConnectionPreference.ValueStringPointer(), ConsumerAcceptLists: &projects,
		EnableProxyProtocol: a.EnableProxyProtocol.ValueBoolPointer(), Remarks: attribute.Nullable(a.Remarks),
	}
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
