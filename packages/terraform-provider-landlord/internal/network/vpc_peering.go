package network

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
)

type vpcPeering struct {
	connection
	PeerVpcID           types.String `tfsdk:"peer_vpc_id"`
	PeerOwnerID         types.String `tfsdk:"peer_owner_id"`
	PeerVpcCidr         types.String `tfsdk:"peer_vpc_cidr"`
	PeerRegion          types.String `tfsdk:"peer_region"`
	PeeringConnectionID types.String `tfsdk:"peering_connection_id"`
	RequesterVpcID      types.String `tfsdk:"requester_vpc_id"`
	RequesterCidr       types.String `tfsdk:"requester_cidr"`
	RequesterOwnerID    types.String `tfsdk:"requester_owner_id"`
	Status              types.String `tfsdk:"status"`
}

// NewVpcPeering is the resource landlord_vpc_peering.
var NewVpcPeering = newResource[vpcPeering](kind[supervisorapi.CreateVpcPeeringDto, supervisorapi.VpcPeeringView]{
	name: "vpc_peering", spoken: "peering", record: "VpcPeering",
	description: "A peering of a deployment on AWS with a VPC of the customer. The account of the VPC accepts the peering. Every change replaces the peering.",
	own: map[string]schema.Attribute{
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
	header: "ld-peering",
	create: supervisorapi.VpcPeeringsCreate,
	list:   supervisorapi.VpcPeeringsList,
	delete: supervisorapi.VpcPeeringsDelete,
	idOf:   func(view supervisorapi.VpcPeeringView) int64 { return view.Id },
})

func (p *vpcPeering) sent() supervisorapi.CreateVpcPeeringDto {
	return supervisorapi.CreateVpcPeeringDto{
		Name: p.Name.ValueString(), PeerVpcId: p.PeerVpcID.ValueString(), PeerOwnerId: p.PeerOwnerID.ValueString(),
		PeerVpcCidr: p.PeerVpcCidr.ValueString(), PeerRegion: attribute.Known(p.PeerRegion), Remarks: attribute.Nullable(p.Remarks),
	}
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
