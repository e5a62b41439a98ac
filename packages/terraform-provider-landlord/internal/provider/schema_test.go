package provider

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// golden has the schemas in the form of "terraform providers schema -json", with the short name that the generator of the documentation takes. The documentation is made from the file, and a test
// without Go compares the file with the API descriptions.
const golden = "../../schema.json"

type schemas struct {
	FormatVersion string                     `json:"format_version"`
	Providers     map[string]*providerSchema `json:"provider_schemas"`
}

type providerSchema struct {
	Provider    *resourceSchema            `json:"provider"`
	Resources   map[string]*resourceSchema `json:"resource_schemas"`
	DataSources map[string]*resourceSchema `json:"data_source_schemas"`
}

type resourceSchema struct {
	Version int64  `json:"version"`
	Block   *block `json:"block"`
}

type block struct {
	Attributes      map[string]*attribute `json:"attributes"`
	Description     string                `json:"description,omitempty"`
	DescriptionKind string                `json:"description_kind"`
}

type attribute struct {
	Type            tftypes.Type `json:"type,omitempty"`
	Nested          *nested      `json:"nested_type,omitempty"`
	Description     string       `json:"description,omitempty"`
	DescriptionKind string       `json:"description_kind"`
	Required        bool         `json:"required,omitempty"`
	Optional        bool         `json:"optional,omitempty"`
	Computed        bool         `json:"computed,omitempty"`
	Sensitive       bool         `json:"sensitive,omitempty"`
	WriteOnly       bool         `json:"write_only,omitempty"`
}

type nested struct {
	Attributes map[string]*attribute `json:"attributes"`
	Mode       string                `json:"nesting_mode"`
}

// TestSchemaIsThatOfTheFile writes the schema to the file WRITE_SCHEMA instead, if this is set.
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
	text := encoded(t, schemas{FormatVersion: "1.0", Providers: map[string]*providerSchema{
		"landlord": {
			Provider: schemaOf(answer.Provider), Resources: schemasOf(answer.ResourceSchemas), DataSources: schemasOf(answer.DataSourceSchemas),
		},
	}})
	if file := os.Getenv("WRITE_SCHEMA"); file != "" {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	committed, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, text) {
		t.Error("schema.json is not the schema. When the change is meant: npm run terraform, and commit the difference.")
	}
}

func encoded(t *testing.T, found schemas) []byte {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(found); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func schemasOf(all map[string]*tfprotov6.Schema) map[string]*resourceSchema {
	found := map[string]*resourceSchema{}
	for name, schema := range all {
		found[name] = schemaOf(schema)
	}
	return found
}

func schemaOf(schema *tfprotov6.Schema) *resourceSchema {
	return &resourceSchema{Version: schema.Version, Block: &block{
		Attributes: attributesOf(schema.Block.Attributes), Description: schema.Block.Description, DescriptionKind: kindOf(schema.Block.DescriptionKind),
	}}
}

func attributesOf(all []*tfprotov6.SchemaAttribute) map[string]*attribute {
	found := map[string]*attribute{}
	for _, one := range all {
		made := &attribute{
			Type: one.Type, Description: one.Description, DescriptionKind: kindOf(one.DescriptionKind),
			Required: one.Required, Optional: one.Optional, Computed: one.Computed, Sensitive: one.Sensitive, WriteOnly: one.WriteOnly,
		}
		if one.NestedType != nil {
			made.Type = nil
			made.Nested = &nested{Attributes: attributesOf(one.NestedType.Attributes), Mode: strings.ToLower(one.NestedType.Nesting.String())}
		}
		found[one.Name] = made
	}
	return found
}

func kindOf(kind tfprotov6.StringKind) string {
	return strings.ToLower(kind.String())
}
