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

type networkPeering struct {
	ID            types.Int64    `tfsdk:"id"`
	DeploymentID  types.Int64    `tfsdk:"deployment_id"`
	Name          types.String   `tfsdk:"name"`
	PeerVpcName   types.String   `tfsdk:"peer_vpc_name"`
	PeerProjectID types.String   `tfsdk:"peer_project_id"`
	PeerVpcCidr   types.String   `tfsdk:"peer_vpc_cidr"`
	Remarks       types.String   `tfsdk:"remarks"`
	State         types.String   `tfsdk:"state"`
	CreatedAt     types.String   `tfsdk:"created_at"`
	Timeouts      timeouts.Value `tfsdk:"timeouts"`
}

// NewNetworkPeering is the resource landlord_network_peering.
var NewNetworkPeering = crud.New(crud.Actions[networkPeering]{
	Name: "network_peering",
	Schema: func(ctx context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "A peering of a deployment on Google Cloud with a network of the customer. The peering is active when the other side exists too. Every change replaces the peering.",
			Attributes: map[string]schema.Attribute{
				"id":              attribute.ID("NetworkPeeringView.id"),
				"deployment_id":   attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"name":            attribute.String("CreateNetworkPeeringDto.name", attribute.RequiredFixed, attribute.Trimmed()),
				"remarks":         attribute.Text("CreateNetworkPeeringDto.remarks", attribute.OptionalFixed),
				"created_at":      attribute.CreatedAt(),
				"timeouts":        timeouts.Attributes(ctx, timeouts.Opts{Create: true, Delete: true}),
				"peer_vpc_name":   attribute.String("CreateNetworkPeeringDto.peer_vpc_name", attribute.RequiredFixed),
				"peer_project_id": attribute.String("CreateNetworkPeeringDto.peer_project_id", attribute.RequiredFixed),
				"peer_vpc_cidr":   attribute.String("CreateNetworkPeeringDto.peer_vpc_cidr", attribute.RequiredFixed, attribute.Network()),
				"state":           attribute.String("NetworkPeeringView.state", attribute.Stable),
			},
		}
	},
	ImportIDs: importIDs,
	Timeouts:  func(model networkPeering) timeouts.Value { return model.Timeouts },
	Create: func(ctx context.Context, api *client.Client, plan *networkPeering) error {
		answer, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.NetworkPeeringsCreate(plan.DeploymentID.ValueInt64(), plan.sent()))
		if err != nil {
			return err
		}
		if err := created(ctx, api, answer.Header, "ld-peering", &plan.ID); err != nil {
			return err
		}
		return readNetworkPeering(ctx, api, plan)
	},
	Read: readNetworkPeering,
	Delete: func(ctx context.Context, api *client.Client, state networkPeering) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.NetworkPeeringsDelete(state.DeploymentID.ValueInt64(), state.ID.ValueInt64()))
		if err != nil {
			return err
		}
		return api.WaitForHeader(ctx, answer.Header)
	},
})

func (p *networkPeering) sent() supervisorapi.CreateNetworkPeeringDto {
	return supervisorapi.CreateNetworkPeeringDto{
		Name: p.Name.ValueString(), PeerVpcName: p.PeerVpcName.ValueString(), PeerProjectId: p.PeerProjectID.ValueString(),
		PeerVpcCidr: p.PeerVpcCidr.ValueString(), Remarks: attribute.Nullable(p.Remarks),
	}
}

func readNetworkPeering(ctx context.Context, api *client.Client, state *networkPeering) error {
	answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.NetworkPeeringsList(state.DeploymentID.ValueInt64()))
	if err != nil {
		return err
	}
	view, err := client.Find(answer.Body, state.ID.ValueInt64(), func(one supervisorapi.NetworkPeeringView) int64 { return one.Id }, "peering")
	if err != nil {
		return err
	}
	state.take(view)
	return nil
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
