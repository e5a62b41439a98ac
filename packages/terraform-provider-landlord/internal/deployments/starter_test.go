package deployments

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
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
		if strings.Contains(answer, `"field_issues"`) {
			response.WriteHeader(http.StatusBadRequest)
		} else if strings.Contains(answer, `"operation_id"`) {
			response.WriteHeader(http.StatusAccepted)
		}
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

// The creation of this kind takes no spend limit, and an error after it would replace the deployment with its data.
func TestARefusedSpendLimitDoesNotReplaceItsDeployment(t *testing.T) {
	const (
		environment = "/tenants/1/divisions/2/environments/3"
		view        = `{"id": 4, "division_id": 2, "environment_id": 3, "variant": "starter", "name": "trial", "cloud": "aws", "region": "us-east-1", "spend_limit": null}`
		refusal     = `{"status": 400, "code": "validation_failed", "detail": "no", "field_issues": [{"path": "/spend_limit", "code": "range", "reason": "must be larger"}]}`
	)
	made := NewStarterDeployment()
	var described resource.SchemaResponse
	made.Schema(t.Context(), resource.SchemaRequest{}, &described)
	api := mainAPI(t, map[string]string{
		"POST /tenants/1/divisions/2/deployments/starter":   `{"deployment_id": 4, "environment_id": 3, "operation_id": 7}`,
		"GET /tenants/1/operations/7":                       `{"id": 7, "status": "succeeded"}`,
		"GET " + environment + "/deployments/4":             view,
		"PUT " + environment + "/deployments/4/spend_limit": refusal,
		"GET " + environment:                                `{"id": 3, "name": "sandbox"}`,
	})
	made.(resource.ResourceWithConfigure).Configure(t.Context(), resource.ConfigureRequest{ProviderData: api}, &resource.ConfigureResponse{})
	object := described.Schema.Type().TerraformType(t.Context()).(tftypes.Object)
	given := map[string]any{"division_id": 2, "cloud": "aws", "region": "us-east-1", "name": "trial", "spend_limit": 5.0, "protected": false}
	planned := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		planned[name] = tftypes.NewValue(kind, tftypes.UnknownValue)
		if value, ok := given[name]; ok {
			planned[name] = tftypes.NewValue(kind, value)
		}
	}
	for _, name := range []string{"description", "timeouts"} {
		planned[name] = tftypes.NewValue(object.AttributeTypes[name], nil)
	}
	response := resource.CreateResponse{State: tfsdk.State{Schema: described.Schema, Raw: tftypes.NewValue(object, nil)}}
	made.Create(t.Context(), resource.CreateRequest{Plan: tfsdk.Plan{Schema: described.Schema, Raw: tftypes.NewValue(object, planned)}}, &response)

	var state starter
	response.Diagnostics.Append(response.State.Get(t.Context(), &state)...)
	warnings := response.Diagnostics.Warnings()
	if response.Diagnostics.HasError() || len(warnings) != 1 || !strings.Contains(warnings[0].Detail(), "must be larger") || !response.State.Raw.IsFullyKnown() {
		t.Fatalf("reported %v, the state is %s", response.Diagnostics, response.State.Raw)
	}
	// Terraform refuses another value than the planned one.
	if state.ID.ValueInt64() != 4 || state.SpendLimit.ValueFloat64() != 5 || state.EnvironmentName.ValueString() != "sandbox" {
		t.Errorf("the state is %s", response.State.Raw)
	}
}
