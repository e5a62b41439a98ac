package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/request"
)

// Server is one of the two APIs at its address.
type Server[API any] struct {
	address   string
	transport *transport
}

// Answer is a successful answer.
type Answer[Body any] struct {
	Header http.Header
	// Body is nil if the request has the answer request.Nothing, and only then.
	Body *Body
}

// Call sends the request. Another answer than the documented JSON is an error.
func Call[API, Body any](ctx context.Context, server *Server[API], what request.To[API, Body]) (*Answer[Body], error) {
	sent, err := httpRequest(ctx, strings.TrimRight(server.address, "/")+what.Path, what)
	if err != nil {
		return nil, err
	}
	response, err := server.transport.Do(sent)
	if err != nil {
		return nil, err
	}
	answer := &Answer[Body]{Header: response.Header}
	if _, isNothing := any(answer.Body).(*request.Nothing); isNothing {
		return answer, nil
	}
	if response.StatusCode == http.StatusNoContent {
		return nil, fmt.Errorf("the answer %d is not the JSON that Landlord documents: the release of the server may be another one", response.StatusCode)
	}
	answer.Body = new(Body)
	return answer, json.NewDecoder(response.Body).Decode(answer.Body)
}

// Take sends the request, and gives the body of the answer to `take`.
func Take[API, Body any](ctx context.Context, server *Server[API], what request.To[API, Body], take func(*Body)) error {
	answer, err := Call(ctx, server, what)
	if err == nil {
		take(answer.Body)
	}
	return err
}

// CallSupervisor sends the request to the Supervisor that serves the deployment.
func CallSupervisor[Body any](ctx context.Context, api *Client, deploymentID types.Int64, what request.To[request.Supervisor, Body]) (*Answer[Body], error) {
	supervisor, err := api.Supervisor(ctx, deploymentID.ValueInt64())
	if err != nil {
		return nil, err
	}
	return Call(ctx, supervisor, what)
}

func httpRequest[API, Body any](ctx context.Context, address string, what request.To[API, Body]) (*http.Request, error) {
	var body io.Reader
	if what.Body != nil {
		text, err := json.Marshal(what.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	sent, err := http.NewRequestWithContext(ctx, what.Method, address, body)
	if err != nil {
		return nil, err
	}
	sent.URL.RawQuery = what.Query.Encode()
	if body != nil {
		sent.Header.Set("content-type", "application/json")
	}
	return sent, nil
}
