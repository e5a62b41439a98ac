package deployments

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

// mainAPI answers each request by its method and path.
func mainAPI(t *testing.T, answers map[string]string) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		answer, ok := answers[request.Method+" "+request.URL.Path]
		if !ok {
			t.Errorf("%s %s is not expected", request.Method, request.URL.Path)
		}
		response.Header().Set("content-type", "application/json")
		_, _ = io.WriteString(response, answer)
	}))
	t.Cleanup(server.Close)
	api, err := client.New(t.Context(), client.Settings{URL: server.URL, APIKey: "secret", TenantID: 1})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestARenamedEnvironmentDoesNotReplaceItsDeployment(t *testing.T) {
	const environment = "/tenants/1/divisions/2/environments/3"
	api := mainAPI(t, map[string]string{
		"GET " + environment:                    `{"id": 3, "name": "renamed"}`,
		"GET " + environment + "/deployments/4": `{"id": 4, "division_id": 2, "environment_id": 3, "variant": "starter"}`,
	})
	place := shared{DivisionID: types.Int64Value(2), EnvironmentID: types.Int64Value(3), ID: types.Int64Value(4)}
	for before, expected := range map[types.String]string{types.StringValue("trial"): "trial", types.StringNull(): "renamed", types.StringUnknown(): "renamed"} {
		state := starter{shared: place, EnvironmentName: before}
		if err := readStarter(t.Context(), api, &state); err != nil || state.EnvironmentName.ValueString() != expected {
			t.Errorf("%s becomes %s, error %v", before, state.EnvironmentName, err)
		}
	}
}
