// Package network has the resources of private networking: peerings, endpoint services and service attachments.
package network

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/request"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

// connection has the attributes of every kind of connection.
type connection struct {
	ID           types.Int64    `tfsdk:"id"`
	DeploymentID types.Int64    `tfsdk:"deployment_id"`
	Name         types.String   `tfsdk:"name"`
	Remarks      types.String   `tfsdk:"remarks"`
	CreatedAt    types.String   `tfsdk:"created_at"`
	Timeouts     timeouts.Value `tfsdk:"timeouts"`
}

func (c *connection) shared() *connection { return c }

// model is a pointer to the model M of a kind. The creation sends a Body, and a View is the record of the API.
type model[M, Body, View any] interface {
	*M
	shared() *connection
	sent() Body
	take(View)
}

// kind is a kind of connection. A change of a connection replaces it: the API has no request for a change.
type kind[Body, View any] struct {
	// name is the name of the resource without "landlord_", and spoken the name in an error.
	name, spoken string
	description  string
	// record is the name that the types of the API description have: "VpcPeering" for "VpcPeeringView".
	record string
	// own are the attributes that other kinds do not have.
	own map[string]schema.Attribute
	// header of the answer to the creation has the id.
	header string
	create func(deploymentID int64, body Body) request.To[request.Supervisor, request.Nothing]
	list   func(deploymentID int64) request.To[request.Supervisor, []View]
	delete func(deploymentID, id int64) request.To[request.Supervisor, request.Nothing]
	idOf   func(View) int64
}

func newResource[M, Body, View any, P model[M, Body, View]](kind kind[Body, View]) func() resource.Resource {
	read := func(ctx context.Context, api *client.Client, state *M) error {
		shared := P(state).shared()
		answer, err := client.CallSupervisor(ctx, api, shared.DeploymentID, kind.list(shared.DeploymentID.ValueInt64()))
		if err != nil {
			return err
		}
		view, err := client.Find(answer.Body, shared.ID.ValueInt64(), kind.idOf, kind.spoken)
		if err != nil {
			return err
		}
		P(state).take(view)
		return nil
	}
	return crud.New(crud.Actions[M]{
		Name:      kind.name,
		Schema:    kind.schema,
		ImportIDs: [][]string{{"deployment_id", "id"}},
		Timeouts:  func(state M) timeouts.Value { return P(&state).shared().Timeouts },
		Create: func(ctx context.Context, api *client.Client, plan *M) error {
			shared := P(plan).shared()
			answer, err := client.CallSupervisor(ctx, api, shared.DeploymentID, kind.create(shared.DeploymentID.ValueInt64(), P(plan).sent()))
			if err != nil {
				return err
			}
			id, err := client.IDOf(answer.Header, kind.header)
			if err != nil {
				return err
			}
			// The id is in the state also if the wait has an error.
			shared.ID = types.Int64Value(id)
			if err := api.WaitForHeader(ctx, answer.Header); err != nil {
				return err
			}
			return read(ctx, api, plan)
		},
		Read: read,
		Delete: func(ctx context.Context, api *client.Client, state M) error {
			shared := P(&state).shared()
			answer, err := client.CallSupervisor(ctx, api, shared.DeploymentID, kind.delete(shared.DeploymentID.ValueInt64(), shared.ID.ValueInt64()))
			if err != nil {
				return err
			}
			return api.WaitForHeader(ctx, answer.Header)
		},
	})
}

func (k kind[Body, View]) schema(ctx context.Context) schema.Schema {
	all := map[string]schema.Attribute{
		"id":            attribute.ID(k.record + "View.id"),
		"deployment_id": attribute.Int("path.deployment_id", attribute.RequiredFixed),
		"name":          attribute.String("Create"+k.record+"Dto.name", attribute.RequiredFixed, attribute.Trimmed()),
		"remarks":       attribute.Text("Create"+k.record+"Dto.remarks", attribute.OptionalFixed),
		"created_at":    attribute.CreatedAt(),
		"timeouts":      timeouts.Attributes(ctx, timeouts.Opts{Create: true, Delete: true}),
	}
	maps.Copy(all, k.own)
	return schema.Schema{MarkdownDescription: k.description, Attributes: all}
}
