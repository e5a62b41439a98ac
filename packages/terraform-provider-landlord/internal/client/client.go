// Package client sends the requests of the provider to the main API and to the Supervisors.
package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/request"
)

// Settings are what the configuration of the provider says.
type Settings struct {
	URL    string
	APIKey string
	// TenantID is 0 for the only tenant of the key.
	TenantID int64
	// ProtectionCode is a one-time code for the deletion of a protected resource. Empty: no code.
	ProtectionCode string
	UserAgent      string
}

// Client has both APIs.
type Client struct {
	Main     *Server[request.Main]
	TenantID int64

	protectionCode string
	mainURL        *url.URL
	transport      *transport
	mutex          sync.Mutex
	supervisors    map[int64]*Server[request.Supervisor]
}

// New returns a client that knows its tenant.
func New(ctx context.Context, settings Settings) (*Client, error) {
	address, err := url.Parse(strings.TrimRight(settings.URL, "/"))
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, fmt.Errorf("the address %q is not one of http or https", settings.URL)
	}
	transport := newTransport(settings.APIKey, settings.UserAgent)
	client := &Client{
		Main: &Server[request.Main]{address.String(), transport}, TenantID: settings.TenantID, protectionCode: settings.ProtectionCode, mainURL: address,
		transport: transport, supervisors: map[int64]*Server[request.Supervisor]{},
	}
	if client.TenantID == 0 {
		client.TenantID, err = client.onlyTenant(ctx)
	}
	return client, err
}

func (c *Client) onlyTenant(ctx context.Context) (int64, error) {
	answer, err := Call(ctx, c.Main, mainapi.TenantsList(mainapi.TenantsListQuery{}))
	if err != nil {
		return 0, err
	}
	if answer.Body.TotalResults != 1 || len(answer.Body.Items) != 1 {
		return 0, fmt.Errorf("the caller has %d tenants: set tenant_id, or LANDLORD_TENANT_ID", answer.Body.TotalResults)
	}
	return answer.Body.Items[0].Id, nil
}

// ProtectionCode returns the one-time code for the deletion of a protected resource. Nil: there is no code.
func (c *Client) ProtectionCode() *string {
	if c.protectionCode == "" {
		return nil
	}
	return &c.protectionCode
}

// Supervisor returns the Supervisor that serves the deployment. The main API knows the address. Two callers at the same time
// can both ask: a caller that waits for another one would miss its own deadline.
func (c *Client) Supervisor(ctx context.Context, deploymentID int64) (*Server[request.Supervisor], error) {
	if known := c.knownSupervisor(deploymentID); known != nil {
		return known, nil
	}
	placed, err := c.Place(ctx, deploymentID)
	if err != nil {
		return nil, err
	}
	if placed.SupervisorURL == "" {
		return nil, fmt.Errorf("no Supervisor serves deployment %d", deploymentID)
	}
	if c.mainURL.Scheme == "https" && !strings.HasPrefix(placed.SupervisorURL, "https:") {
		return nil, fmt.Errorf("the Supervisor %s has no https, unlike the main API", placed.SupervisorURL)
	}
	supervisor := &Server[request.Supervisor]{placed.SupervisorURL, c.transport}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.supervisors[deploymentID] = supervisor
	return supervisor, nil
}

func (c *Client) knownSupervisor(deploymentID int64) *Server[request.Supervisor] {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.supervisors[deploymentID]
}

// Place is where a deployment belongs.
type Place struct {
	DivisionID, EnvironmentID int64
	SupervisorURL             string
}

// Place returns where the deployment belongs. The error of a deployment that the structure does not contain is a NotFound.
func (c *Client) Place(ctx context.Context, deploymentID int64) (Place, error) {
	answer, err := Call(ctx, c.Main, mainapi.TenantsGetStructure(c.TenantID))
	if err != nil {
		return Place{}, err
	}
	for _, division := range answer.Body.Divisions {
		for _, environment := range division.Environments {
			for _, deployment := range environment.Deployments {
				if deployment.Id == deploymentID {
					address, _ := deployment.SupervisorUrl.Get()
					return Place{DivisionID: division.Id, EnvironmentID: environment.Id, SupervisorURL: address}, nil
				}
			}
		}
	}
	return Place{}, NotFound("there is no deployment %d, or the key may not read the deployment", deploymentID)
}

// AnyEnvironment returns an environment of the tenant for requests that need one.
func (c *Client) AnyEnvironment(ctx context.Context) (Place, error) {
	answer, err := Call(ctx, c.Main, mainapi.TenantsGetStructure(c.TenantID))
	if err != nil {
		return Place{}, err
	}
	for _, division := range answer.Body.Divisions {
		for _, environment := range division.Environments {
			return Place{DivisionID: division.Id, EnvironmentID: environment.Id}, nil
		}
	}
	return Place{}, errors.New("Landlord calculates a price in an environment, and the key sees none")
}

// IDOf reads the id in a header of an answer without a body, such as ld-peering.
func IDOf(answer http.Header, header string) (int64, error) {
	id, err := strconv.ParseInt(answer.Get(header), 10, 64)
	if err != nil {
		return 0, errors.New("the answer has no header " + header)
	}
	return id, nil
}
