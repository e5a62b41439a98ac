// Package network has the resources of private networking: peerings, endpoint services and service attachments.
package network

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// importIDs name a part of a deployment.
var importIDs = [][]string{{"deployment_id", "id"}}

// created keeps the id of a new connection, and waits until the connection exists. The id is kept first: it is in the state if the wait
// has an error.
func created(ctx context.Context, api *client.Client, response http.Header, header string, id *types.Int64) error {
	value, err := client.IDOf(response, header)
	if err != nil {
		return err
	}
	*id = types.Int64Value(value)
	return api.WaitForHeader(ctx, response)
}
