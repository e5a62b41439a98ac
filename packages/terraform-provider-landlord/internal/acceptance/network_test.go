package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/landlord/terraform-provider-landlord/internal/api/request"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// ofDeployment is a lifecycle of a resource that a list of the Supervisor contains. The API cannot change these resources.
func ofDeployment(
	address, config, changed string, expected values,
	list func(context.Context, *client.Server[request.Supervisor], int64) ([]int64, error),
	remove func(context.Context, *client.Server[request.Supervisor], int64, int64) (http.Header, error),
) lifecycle {
	return lifecycle{
		address:  address,
		config:   config,
		expected: expected,
		changed:  changed,
		changeBy: plancheck.ResourceActionReplace,
		importID: []string{"deployment_id", "id"},
		remove: func(ctx context.Context, api *client.Client, state values) error {
			supervisor, err := api.Supervisor(ctx, state.id("deployment_id"))
			if err != nil {
				return err
			}
			answer, err := remove(ctx, supervisor, state.id("deployment_id"), state.id("id"))
			if err != nil {
				return err
			}
			return api.WaitForHeader(ctx, answer)
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			supervisor, err := api.Supervisor(ctx, state.id("deployment_id"))
			if err != nil {
				return err
			}
			ids, err := list(ctx, supervisor, state.id("deployment_id"))
			if err == nil && !slices.Contains(ids, state.id("id")) {
				return client.NotFound("the list does not contain %d", state.id("id"))
			}
			return err
		},
	}
}

// idsOf reads the ids of a list.
func idsOf[V any](views *[]V, id func(V) int64) []int64 {
	ids := []int64{}
	for _, view := range *views {
		ids = append(ids, id(view))
	}
	return ids
}

func TestAccVpcPeering(t *testing.T) {
	config := func(cidr string) string {
		return fmt.Sprintf(`
			resource "landlord_vpc_peering" "it" {
				deployment_id = %s
				name          = "data team"
				peer_vpc_id   = "vpc-0123456789abcdef0"
				peer_owner_id = "123456789012"
				peer_vpc_cidr = %q
			}`, given("AWS"), cidr)
	}
	ofDeployment(
		"landlord_vpc_peering.it", config("172.30.0.0/16"), config("172.31.0.0/16"), values{"peer_region": "us-east-1", "status": "pending_acceptance"},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment int64) ([]int64, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.VpcPeeringsList(deployment))
			if err != nil {
				return nil, err
			}
			return idsOf(answer.Body, func(view supervisorapi.VpcPeeringView) int64 { return view.Id }), nil
		},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment, id int64) (http.Header, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.VpcPeeringsDelete(deployment, id))
			if err != nil {
				return nil, err
			}
			return answer.Header, nil
		},
	).run(t)
}

func TestAccNetworkPeering(t *testing.T) {
	config := func(cidr string) string {
		return fmt.Sprintf(`
			resource "landlord_network_peering" "it" {
				deployment_id   = %s
				name            = "data team"
				peer_vpc_name   = "default"
				peer_project_id = "their-project"
				peer_vpc_cidr   = %q
			}`, given("GCP"), cidr)
	}
	ofDeployment(
		"landlord_network_peering.it", config("172.30.0.0/16"), config("172.31.0.0/16"), values{"state": "inactive"},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment int64) ([]int64, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.NetworkPeeringsList(deployment))
			if err != nil {
				return nil, err
			}
			return idsOf(answer.Body, func(view supervisorapi.NetworkPeeringView) int64 { return view.Id }), nil
		},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment, id int64) (http.Header, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.NetworkPeeringsDelete(deployment, id))
			if err != nil {
				return nil, err
			}
			return answer.Header, nil
		},
	).run(t)
}

func TestAccEndpointService(t *testing.T) {
	config := func(remarks string) string {
		return fmt.Sprintf(`
			resource "landlord_endpoint_service" "it" {
				deployment_id       = %s
				name                = "data team"
				acceptance_required = false
				allowed_principals  = ["arn:aws:iam::123456789012:root"]
				remarks             = %q
			}`, given("AWS"), remarks)
	}
	ofDeployment(
		"landlord_endpoint_service.it", config("first"), config("second"), values{"acceptance_required": "false", "allowed_principals.#": "1"},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment int64) ([]int64, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.EndpointServicesList(deployment))
			if err != nil {
				return nil, err
			}
			return idsOf(answer.Body, func(view supervisorapi.EndpointServiceView) int64 { return view.Id }), nil
		},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment, id int64) (http.Header, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.EndpointServicesDelete(deployment, id))
			if err != nil {
				return nil, err
			}
			return answer.Header, nil
		},
	).run(t)
}

func TestAccServiceAttachment(t *testing.T) {
	config := func(preference string) string {
		return fmt.Sprintf(`
			resource "landlord_service_attachment" "it" {
				deployment_id         = %s
				name                  = "data-team"
				connection_preference = %q
				consumer_accept_lists = ["their-project"]
			}`, given("GCP"), preference)
	}
	ofDeployment(
		"landlord_service_attachment.it", config("accept_manual"), config("accept_automatic"), values{"connection_preference": "accept_manual", "enable_proxy_protocol": "false"},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment int64) ([]int64, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.ServiceAttachmentsList(deployment))
			if err != nil {
				return nil, err
			}
			return idsOf(answer.Body, func(view supervisorapi.ServiceAttachmentView) int64 { return view.Id }), nil
		},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment, id int64) (http.Header, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.ServiceAttachmentsDelete(deployment, id))
			if err != nil {
				return nil, err
			}
			return answer.Header, nil
		},
	).run(t)
}
