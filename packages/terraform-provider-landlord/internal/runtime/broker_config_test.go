package runtime

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// installation is a main API and a Supervisor at one address. It remembers the changes.
func installation(t *testing.T, answers map[string]string) (api *client.Client, changes *[]string) {
	t.Helper()
	changes = &[]string{}
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		asked := request.Method + " " + request.URL.Path
		if request.Method != http.MethodGet {
			*changes = append(*changes, asked)
		}
		if asked == "GET /tenants/1/structure" {
			response.Header().Set("content-type", "application/json")
			fmt.Fprintf(response, `{"divisions": [{"id": 2, "environments": [{"id": 3, "deployments": [{"id": 4, "supervisor_url": %q}]}]}]}`, server.URL)
			return
		}
		var status int
		answer, ok := answers[asked]
		if !ok {
			response.WriteHeader(http.StatusNoContent)
			return
		}
		fmt.Sscan(answer[:3], &status)
		response.Header().Set("content-type", "application/json")
		response.WriteHeader(status)
		_, _ = io.WriteString(response, answer[3:])
	})
	server.Start()
	t.Cleanup(server.Close)
	api, err := client.New(t.Context(), client.Settings{URL: server.URL, APIKey: "secret", TenantID: 1})
	if err != nil {
		t.Fatal(err)
	}
	return api, changes
}

// A key may change configurations without the permission for tasks.
func TestAVersionWithoutItsTaskDoesNotStayActive(t *testing.T) {
	api, changes := installation(t, map[string]string{
		"POST /deployments/4/configs/broker": `201 {"id": 12, "version": 6}`,
		"POST /deployments/4/tasks":          `403 {"status": 403, "code": "insufficient_permissions", "detail": "no"}`,
	})
	state := brokerConfig{ID: types.Int64Value(11), Version: types.Int64Value(5), DeploymentID: types.Int64Value(4), configValues: valuesOf(`{}`, "")}
	plan := brokerConfig{DeploymentID: types.Int64Value(4), configValues: valuesOf(`{"mqtt":{"max_connections":7}}`, "")}

	err := updateBrokerConfig(t.Context(), api, &plan, state)

	expected := []string{
		"POST /deployments/4/configs/broker", "POST /deployments/4/tasks", "PUT /deployments/4/configs/broker/broker/activate/5", "DELETE /deployments/4/configs/broker/12",
	}
	if !client.IsRefused(err) || !slices.Equal(*changes, expected) {
		t.Errorf("changes %q, error %v", *changes, err)
	}
}
