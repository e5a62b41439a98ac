package network

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
)

type networkPeering struct {
	connection
	PeerVpcName   types.String `tfsdk:"peer_vpc_name"`
	PeerProjectID types.String `tfsdk:"peer_project_id"`
	PeerVpcCidr   types.String `tfsdk:"peer_vpc_cidr"`
	State         types.String `tfsdk:"state"`
}

// NewNetworkPeering is the resource landlord_network_peering.
var NewNetworkPeering = newResource[networkPeering](kind[supervisorapi.CreateNetworkPeeringDto, supervisorapi.NetworkPeeringView]{
	name: "network_peering", spoken: "peering", record: "NetworkPeering",
	description: "A peering of a deployment on Google Cloud with a network of the customer. The peering is active when the other side exists too. Every change replaces the peering.",
	own: map[string]schema.Attribute{
		"peer_vpc_name":   attribute.String("CreateNetworkPeeringDto.peer_vpc_name", attribute.RequiredFixed),
		"peer_project_id": attribute.String("CreateNetworkPeeringDto.peer_project_id", attribute.RequiredFixed),
		"peer_vpc_cidr":   attribute.String("CreateNetworkPeeringDto.peer_vpc_cidr", attribute.RequiredFixed, attribute.Network()),
		"state":           attribute.String("NetworkPeeringView.state", attribute.Stable),
	},
	header: "ld-peering",
	create: supervisorapi.NetworkPeeringsCreate,
	list:   supervisorapi.NetworkPeeringsList,
	delete: supervisorapi.NetworkPeeringsDelete,
	idOf:   func(view supervisorapi.NetworkPeeringView) int64 { return view.Id },
})

func (p *networkPeering) sent() supervisorapi.CreateNetworkPeeringDto {
	return supervisorapi.CreateNetworkPeeringDto{
		Name: p.Name.ValueString(), PeerVpcName: p.PeerVpcName.ValueString(), PeerProjectId: p.PeerProjectID.ValueString(),
		PeerVpcCidr: p.PeerVpcCidr.ValueString(), Remarks: attribute.Nullable(p.Remarks),
	}
}

func (p *networkPeering) take(view supervisorapi.NetworkPeeringView) {
	p.Name = types.StringValue(view.Name)
	p.Remarks = attribute.TextOf(view.Remarks, p.Remarks)
	p.CreatedAt = types.StringValue(view.CreatedAt)
	p.PeerVpcName = types.StringValue(view.PeerVpcName)
	p.PeerProjectID = types.StringValue(view.PeerProjectId)
	p.PeerVpcCidr = types.StringValue(view.PeerVpcCidr)
	p.State = types.StringValue(view.State)
}
