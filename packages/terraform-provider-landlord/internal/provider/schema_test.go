package provider

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// golden has the attributes of all resources and data sources. A test without Go compares them with the API descriptions.
const golden = "../../schema.json"

type attribute struct {
	// Use is "required", "optional", "computed", or "optional computed".
	Use        string                `json:"use"`
	Sensitive  bool                  `json:"sensitive,omitempty"`
	Attributes map[string]*attribute `json:"attributes,omitempty"`
}

type schemas struct {
	Resources   map[string]map[string]*attribute `json:"resources"`
	DataSources map[string]map[string]*attribute `json:"dataSources"`
}

// WRITE_SCHEMA=1 go test ./internal/provider writes the file.
func TestSchemaIsThatOfTheFile(t *testing.T) {
	server, err := providerserver.NewProtocol6WithError(New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range answer.Diagnostics {
		t.Errorf("%s: %s", one.Summary, one.Detail)
	}
	found := schemas{Resources: of(answer.ResourceSchemas), DataSources: of(answer.DataSourceSchemas)}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(found); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("WRITE_SCHEMA") != "" {
		if err := os.WriteFile(golden, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, text.Bytes()) {
		t.Error("schema.json is not the schema. When the change is meant: npm run terraform, and commit the difference.")
	}
}

func of(all map[string]*tfprotov6.Schema) map[string]map[string]*attribute {
	found := map[string]map[string]*attribute{}
	for name, schema := range all {
		found[name] = attributesOf(schema.Block.Attributes)
	}
	return found
}

func attributesOf(all []*tfprotov6.SchemaAttribute) map[string]*attribute {
	found := map[string]*attribute{}
	for _, one := range all {
		made := &attribute{Use: useOf(one), Sensitive: one.Sensitive}
		if one.NestedType != nil {
			made.Attributes = attributesOf(one.NestedType.Attributes)
		}
		found[one.Name] = made
	}
	return found
}

func useOf(one *tfprotov6.SchemaAttribute) string {
	switch {
	case one.Required:
		return "required"
	case one.Optional && one.Computed:
		return "optional computed"
	case one.Optional:
		return "optional"
	default:
		return "computed"
	}
}
