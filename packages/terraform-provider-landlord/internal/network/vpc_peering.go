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

type vpcPeering struct {
	ID                  types.Int64    `tfsdk:"id"`
	DeploymentID        types.Int64    `tfsdk:"deployment_id"`
	Name                types.String   `tfsdk:"name"`
	PeerVpcID           types.String   `tfsdk:"peer_vpc_id"`
	PeerOwnerID         types.String   `tfsdk:"peer_owner_id"`
	PeerVpcCidr         types.String   `tfsdk:"peer_vpc_cidr"`
	PeerRegion          types.String   `tfsdk:"peer_region"`
	Remarks             types.String   `tfsdk:"remarks"`
	PeeringConnectionID types.String   `tfsdk:"peering_connection_id"`
	RequesterVpcID      types.String   `tfsdk:"requester_vpc_id"`
	RequesterCidr       types.String   `tfsdk:"requester_cidr"`
	RequesterOwnerID    types.String   `tfsdk:"requester_owner_id"`
	Status              types.String   `tfsdk:"status"`
	CreatedAt           types.String   `tfsdk:"created_at"`
	Timeouts            timeouts.Value `tfsdk:"timeouts"`
}

// NewVpcPeering is the resource landlord_vpc_peering.
var NewVpcPeering = crud.New(crud.Actions[vpcPeering]{
	Name: "vpc_peering",
	Schema: func(ctx context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "A peering of a deployment on AWS with a VPC of the customer. The account of the VPC accepts the peering. Every change replaces the peering.",
			Attributes: map[string]schema.Attribute{
				"id":                    attribute.ID("VpcPeeringView.id"),
				"deployment_id":         attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"name":                  attribute.String("CreateVpcPeeringDto.name", attribute.RequiredFixed, attribute.Trimmed()),
				"remarks":               attribute.Text("CreateVpcPeeringDto.remarks", attribute.OptionalFixed),
				"created_at":            attribute.CreatedAt(),
				"timeouts":              timeouts.Attributes(ctx, timeouts.Opts{Create: true, Delete: true}),
				"peer_vpc_id":           attribute.String("CreateVpcPeeringDto.peer_vpc_id", attribute.RequiredFixed),
				"peer_owner_id":         attribute.String("CreateVpcPeeringDto.peer_owner_id", attribute.RequiredFixed),
				"peer_vpc_cidr":         attribute.String("CreateVpcPeeringDto.peer_vpc_cidr", attribute.RequiredFixed, attribute.Network()),
				"peer_region":           attribute.String("CreateVpcPeeringDto.peer_region", attribute.EitherFixed),
				"peering_connection_id": attribute.String("VpcPeeringView.peering_connection_id", attribute.Stable),
				"requester_vpc_id":      attribute.String("VpcPeeringView.requester_vpc_id", attribute.Stable),
				"requester_cidr":        attribute.String("VpcPeeringView.requester_cidr", attribute.Stable),
				"requester_owner_id":    attribute.String("VpcPeeringView.requester_owner_id", attribute.Stable),
				"status":                attribute.String("VpcPeeringView.status", attribute.Stable),
			},
		}
	},
	ImportIDs: importIDs,
	Timeouts:  func(model vpcPeering) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *vpcPeering) error {
		answer, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.VpcPeeringsCreate(plan.DeploymentID.ValueInt64(), plan.sent()))
		if err != nil {
			return err
		}
		if err := created(ctx, api, answer.Header, "ld-peering", &plan.ID); err != nil {
			return err
		}
		return readVpcPeering(ctx, api, plan)
	},
	Read: readVpcPeering,
	Delete: func(ctx context.Context, api *client.Client, state vpcPeering) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.VpcPeeringsDelete(state.DeploymentID.ValueInt64(), state.ID.ValueInt64()))
		if err != nil {
			return err
		}
		return api.WaitForHeader(ctx, answer.Header)
	},
})

func (p *vpcPeering) sent() supervisorapi.CreateVpcPeeringDto {
	return supervisorapi.CreateVpcPeeringDto{
		Name: p.Name.ValueString(), PeerVpcId: p.PeerVpcID.ValueString(), PeerOwnerId: p.PeerOwnerID.ValueString(),
		PeerVpcCidr: p.PeerVpcCidr.ValueString(), PeerRegion: attribute.Known(p.PeerRegion), Remarks: attribute.Nullable(p.Remarks),
	}
}

func readVpcPeering(ctx context.Context, api *client.Client, state *vpcPeering) error {
	answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.VpcPeeringsList(state.DeploymentID.ValueInt64()))
	if err != nil {
		return err
	}
	view, err := client.Find(answer.Body, state.ID.ValueInt64(), func(one supervisorapi.VpcPeeringView) int64 { return one.Id }, "peering")
	if err != nil {
		return err
	}
	state.take(view)
	return nil
}

func (p *vpcPeering) take(view supervisorapi.VpcPeeringView) {
	p.Name = types.StringValue(view.Name)
	p.Remarks = attribute.TextOf(view.Remarks, p.Remarks)
	p.CreatedAt = types.StringValue(view.CreatedAt)
	p.PeerVpcID = types.StringValue(view.AccepterVpcId)
	p.PeerOwnerID = types.StringValue(view.AccepterOwnerId)
	p.PeerVpcCidr = types.StringValue(view.AccepterCidr)
	p.PeerRegion = types.StringValue(view.AccepterRegion)
	p.PeeringConnectionID = attribute.StringOf(view.PeeringConnectionId)
	p.RequesterVpcID = attribute.StringOf(view.RequesterVpcId)
	p.RequesterCidr = attribute.StringOf(view.RequesterCidr)
	p.RequesterOwnerID = attribute.StringOf(view.RequesterOwnerId)
	p.Status = types.StringValue(view.Status)
}
