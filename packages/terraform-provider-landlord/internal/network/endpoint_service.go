package network

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
)

type endpointService struct {
	connection
	AcceptanceRequired   types.Bool   `tfsdk:"acceptance_required"`
	AllowedPrincipals    types.Set    `tfsdk:"allowed_principals"`
	VpcEndpointServiceID types.String `tfsdk:"vpc_endpoint_service_id"`
	ServiceName          types.String `tfsdk:"service_name"`
	State                types.String `tfsdk:"state"`
}

// NewEndpointService is the resource landlord_endpoint_service.
var NewEndpointService = newResource[endpointService](kind[supervisorapi.CreateEndpointServiceDto, supervisorapi.EndpointServiceView]{
	name: "endpoint_service", spoken: "endpoint service", record: "EndpointService",
	description: "An endpoint service (AWS PrivateLink) of a deployment. Every change replaces the service.",
	own: map[string]schema.Attribute{
		"acceptance_required":     attribute.Flag("CreateEndpointServiceDto.acceptance_required", true, true),
		"allowed_principals":      attribute.Texts("CreateEndpointServiceDto.allowed_principals", attribute.OptionalFixed),
		"vpc_endpoint_service_id": attribute.String("EndpointServiceView.vpc_endpoint_service_id", attribute.Stable),
		"service_name":            attribute.String("EndpointServiceView.service_name", attribute.Stable),
		"state":                   attribute.String("EndpointServiceView.state", attribute.Stable),
	},
	header: "ld-endpoint-service",
	create: supervisorapi.EndpointServicesCreate,
	list:   supervisorapi.EndpointServicesList,
	delete: supervisorapi.EndpointServicesDelete,
	idOf:   func(view supervisorapi.EndpointServiceView) int64 { return view.Id },
})

func (s *endpointService) sent() supervisorapi.CreateEndpointServiceDto {
	principals := attribute.ListOf(s.AllowedPrincipals)
	return supervisorapi.CreateEndpointServiceDto{
		Name: s.Name.ValueString(), AcceptanceRequired: s.AcceptanceRequired.ValueBoolPointer(), AllowedPrincipals: &principals,
		Remarks: attribute.Nullable(s.Remarks),
	}
}

func (s *endpointService) take(view supervisorapi.EndpointServiceView) {
	s.Name = types.StringValue(view.Name)
	s.Remarks = attribute.TextOf(view.Remarks, s.Remarks)
	s.CreatedAt = types.StringValue(view.CreatedAt)
	s.AcceptanceRequired = types.BoolValue(view.AcceptanceRequired)
	s.AllowedPrincipals = attribute.SetOf(view.AllowedPrincipals, s.AllowedPrincipals)
	s.VpcEndpointServiceID = attribute.StringOf(view.VpcEndpointServiceId)
	s.ServiceName = attribute.StringOf(view.ServiceName)
	s.State = types.StringValue(view.State)
}
