package runtime

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func valuesOf(values, secrets string) configValues {
	made := configValues{Values: jsontypes.NewNormalizedValue(values), SecretValues: types.StringNull()}
	if secrets != "" {
		made.SecretValues = types.StringValue(secrets)
	}
	return made
}

func taken(t *testing.T, before configValues, view object) (values, secrets string) {
	t.Helper()
	if err := before.take(view); err != nil {
		t.Fatal(err)
	}
	return before.Values.ValueString(), before.SecretValues.ValueString()
}

func TestSecretsAreSentAmongTheOtherValues(t *testing.T) {
	sent, err := valuesOf(`{"http":{"url":"u"}}`, `{"http":{"token":"t"}}`).sent()
	if err != nil {
		t.Fatal(err)
	}
	inner := sent["http"].(object)
	if inner["url"] != "u" || inner["token"] != "t" {
		t.Errorf("sent %v", sent)
	}
}

func TestAMaskedValueKeepsTheSecretOfTheState(t *testing.T) {
	values, secrets := taken(t, valuesOf(`{"http":{"url":"u"}}`, `{"http":{"token":"t"}}`), object{"http": object{"url": "changed", "token": mask}})
	if values != `{"http":{"url":"changed"}}` || secrets != `{"http":{"token":"t"}}` {
		t.Errorf("values %s, secrets %s", values, secrets)
	}
}

func TestSecretsKeepTheirSpelling(t *testing.T) {
	const spelled = `{ "http": { "token": "t" } }`
	_, secrets := taken(t, valuesOf(`{}`, spelled), object{"http": object{"token": mask}})
	if secrets != spelled {
		t.Errorf("secrets %s", secrets)
	}
}

func TestAMaskInAListKeepsTheListOfTheState(t *testing.T) {
	view := object{"servers": []any{object{"host": "h", "password": mask}}}
	_, secrets := taken(t, valuesOf(`{}`, `{"servers":[{"host":"h","password":"p"}]}`), view)
	if secrets != `{"servers":[{"host":"h","password":"p"}]}` {
		t.Errorf("secrets %s", secrets)
	}
}

func TestASecretAmongTheValuesStaysThere(t *testing.T) {
	values, secrets := taken(t, valuesOf(`{"http":{"token":"t"}}`, ""), object{"http": object{"token": mask}})
	if values != `{"http":{"token":"t"}}` || secrets != "" {
		t.Errorf("values %s, secrets %s", values, secrets)
	}
}

func TestASecretThatTheStateDoesNotKnowIsADifference(t *testing.T) {
	values, secrets := taken(t, valuesOf(`{}`, ""), object{"http": object{"token": mask}})
	if values != `{}` || secrets != `{"http":{"token":"********"}}` {
		t.Errorf("values %s, secrets %s", values, secrets)
	}
}

func TestASecretThatIsGoneIsADifference(t *testing.T) {
	_, secrets := taken(t, valuesOf(`{}`, `{"http":{"token":"t"}}`), object{})
	if secrets != `{}` {
		t.Errorf("secrets %s", secrets)
	}
}

func TestEmptyObjectsOfTheServerAreNoDifference(t *testing.T) {
	values, _ := taken(t, valuesOf(`{"enabled":true}`, ""), object{"enabled": true, "transforms": object{}, "streams": []any{}})
	if values != `{"enabled":true}` {
		t.Errorf("values %s", values)
	}
}
