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

type endpointService struct {
	ID                   types.Int64    `tfsdk:"id"`
	DeploymentID         types.Int64    `tfsdk:"deployment_id"`
	Name                 types.String   `tfsdk:"name"`
	AcceptanceRequired   types.Bool     `tfsdk:"acceptance_required"`
	AllowedPrincipals    types.Set      `tfsdk:"allowed_principals"`
	Remarks              types.String   `tfsdk:"remarks"`
	VpcEndpointServiceID types.String   `tfsdk:"vpc_endpoint_service_id"`
	ServiceName          types.String   `tfsdk:"service_name"`
	State                types.String   `tfsdk:"state"`
	CreatedAt            types.String   `tfsdk:"created_at"`
	Timeouts             timeouts.Value `tfsdk:"timeouts"`
}

// NewEndpointService is the resource landlord_endpoint_service.
var NewEndpointService = crud.New(crud.Actions[endpointService]{
	Name: "endpoint_service",
	Schema: func(ctx context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "An endpoint service (AWS PrivateLink) of a deployment. Every change replaces the service.",
			Attributes: map[string]schema.Attribute{
				"id":                      attribute.ID("EndpointServiceView.id"),
				"deployment_id":           attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"name":                    attribute.String("CreateEndpointServiceDto.name", attribute.RequiredFixed, attribute.Trimmed()),
				"remarks":                 attribute.Text("CreateEndpointServiceDto.remarks", attribute.OptionalFixed),
				"created_at":              attribute.CreatedAt(),
				"timeouts":                timeouts.Attributes(ctx, timeouts.Opts{Create: true, Delete: true}),
				"acceptance_required":     attribute.Flag("CreateEndpointServiceDto.acceptance_required", true, true),
				"allowed_principals":      attribute.Texts("CreateEndpointServiceDto.allowed_principals", attribute.OptionalFixed),
				"vpc_endpoint_service_id": attribute.String("EndpointServiceView.vpc_endpoint_service_id", attribute.Stable),
				"service_name":            attribute.String("EndpointServiceView.service_name", attribute.Stable),
				"state":                   attribute.String("EndpointServiceView.state", attribute.Stable),
			},
		}
	},
	ImportIDs: importIDs,
	Timeouts:  func(model endpointService) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *endpointService) error {
		answer, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.EndpointServicesCreate(plan.DeploymentID.ValueInt64(), plan.sent()))
		if err != nil {
			return err
		}
		if err := created(ctx, api, answer.Header, "ld-endpoint-service", &plan.ID); err != nil {
			return err
		}
		return readEndpointService(ctx, api, plan)
	},
	Read: readEndpointService,
	Delete: func(ctx context.Context, api *client.Client, state endpointService) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.EndpointServicesDelete(state.DeploymentID.ValueInt64(), state.ID.ValueInt64()))
		if err != nil {
			return err
		}
		return api.WaitForHeader(ctx, answer.Header)
	},
})

func (s *endpointService) sent() supervisorapi.CreateEndpointServiceDto {
	principals := attribute.ListOf(s.AllowedPrincipals)
	return supervisorapi.CreateEndpointServiceDto{
		Name: s.Name.ValueString(), AcceptanceRequired: s.AcceptanceRequired.ValueBoolPointer(), AllowedPrincipals: &principals,
		Remarks: attribute.Nullable(s.Remarks),
	}
}

func readEndpointService(ctx context.Context, api *client.Client, state *endpointService) error {
	answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.EndpointServicesList(state.DeploymentID.ValueInt64()))
	if err != nil {
		return err
	}
	view, err := client.Find(answer.Body, state.ID.ValueInt64(), func(one supervisorapi.EndpointServiceView) int64 { return one.Id }, "endpoint service")
	if err != nil {
		return err
	}
	state.take(view)
	return nil
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
