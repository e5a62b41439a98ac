package client

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/api/request"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
)

// seen is what a server has got.
type seen struct{ method, address, contentType, body string }

func serverOf[API any](t *testing.T, path, answer string) (*Server[API], *seen) {
	t.Helper()
	var got seen
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, sent *http.Request) {
		body, _ := io.ReadAll(sent.Body)
		got = seen{sent.Method, sent.RequestURI, sent.Header.Get("content-type"), string(body)}
		response.Header().Set("ld-operation", "7")
		if answer == "" {
			response.WriteHeader(http.StatusNoContent)
			return
		}
		response.Header().Set("content-type", "application/json")
		_, _ = io.WriteString(response, answer)
	}))
	t.Cleanup(server.Close)
	return &Server[API]{server.URL + path, newTransport("secret", "test")}, &got
}

func TestACallSendsPathQueryAndBody(t *testing.T) {
	supervisor, got := serverOf[request.Supervisor](t, "/base/", `{"id": 5}`)
	name := "a b&c"
	answer, err := Call(t.Context(), supervisor, supervisorapi.ConnectorConfigsGetPrimary(3, "sink", "h/t?", &name))
	if err != nil || answer.Body.Id != 5 {
		t.Fatalf("%v, %v", answer, err)
	}
	if want := (seen{"GET", "/base/deployments/3/configs/connector:sink:h%2Ft%3F/primary?name=a+b%26c", "", ""}); *got != want {
		t.Errorf("sent %+v", *got)
	}
}

func TestAMissingMemberOfTheQueryIsNotSent(t *testing.T) {
	server, got := serverOf[request.Main](t, "", "")
	answer, err := Call(t.Context(), server, mainapi.DivisionsDelete(1, 2, nil))
	if err != nil || answer.Body != nil || answer.Header.Get("ld-operation") != "7" {
		t.Fatalf("%v, %v", answer, err)
	}
	if want := (seen{"DELETE", "/tenants/1/divisions/2", "", ""}); *got != want {
		t.Errorf("sent %+v", *got)
	}
}

func TestABodyIsJSONWithoutItsUnsetMembers(t *testing.T) {
	server, got := serverOf[request.Main](t, "", "")
	name := "Sales"
	if _, err := Call(t.Context(), server, mainapi.DivisionsUpdate(1, 2, mainapi.UpdateDivisionDto{Name: &name})); err != nil {
		t.Fatal(err)
	}
	if want := (seen{"PUT", "/tenants/1/divisions/2", "application/json", `{"name":"Sales"}`}); *got != want {
		t.Errorf("sent %+v", *got)
	}
}

func TestAnAnswerThatIsNoJSONIsAnError(t *testing.T) {
	server, _ := serverOf[request.Main](t, "", `{"id": `)
	if _, err := Call(t.Context(), server, mainapi.DivisionsGet(1, 2)); err == nil {
		t.Error("a cut answer is no error")
	}
}
