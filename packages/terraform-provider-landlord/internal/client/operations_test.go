package client

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// clientOf returns a client of a server that answers with one answer after the other, and with the last one from then on.
func clientOf(t *testing.T, queue ...func(http.ResponseWriter)) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		next := queue[0]
		if len(queue) > 1 {
			queue = queue[1:]
		}
		next(response)
	}))
	t.Cleanup(server.Close)
	made, err := New(t.Context(), Settings{URL: server.URL, APIKey: "secret", TenantID: 1})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func operation(status, step string) func(http.ResponseWriter) {
	return func(response http.ResponseWriter) {
		response.Header().Set("content-type", "application/json")
		fmt.Fprintf(response, `{"id": 7, "type": "provision_deployment", "status": %q, "reason": "no capacity", "steps": [{"name": %q, "status": "running"}]}`, status, step)
	}
}

func gone(response http.ResponseWriter) { response.WriteHeader(http.StatusBadGateway) }

func TestAWaitOutlastsAServerThatStartsAgain(t *testing.T) {
	api := clientOf(t, operation("running", "boot_nodes"), gone, gone, gone, gone, operation("succeeded", "announce"))
	if err := api.WaitFor(t.Context(), 7); err != nil {
		t.Error(err)
	}
}

func TestAWaitAsksSoonAndThenLessOften(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		asked = append(asked, request.URL.Query().Get("wait"))
		status := "running"
		if len(asked) == 7 {
			status = "succeeded"
		}
		operation(status, "boot_nodes")(response)
	}))
	t.Cleanup(server.Close)
	api, err := New(t.Context(), Settings{URL: server.URL, APIKey: "secret", TenantID: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := api.WaitFor(t.Context(), 7); err != nil || strings.Join(asked, " ") != "1 2 3 4 5 5 5" {
		t.Errorf("asked to wait %v seconds, error %v", asked, err)
	}
}

func TestAWaitThatIsTooLongNamesTheStep(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err := clientOf(t, operation("running", "boot_nodes")).WaitFor(ctx, 7)
	if err == nil || !strings.Contains(err.Error(), "operation 7 (boot_nodes running) has not ended in time, and goes on") {
		t.Errorf("error %v", err)
	}
}

func TestAWaitEndsWithTheFailureAndWithARefusal(t *testing.T) {
	err := clientOf(t, operation("failed", "boot_nodes")).WaitFor(t.Context(), 7)
	if !HasFailed(err) || !strings.Contains(err.Error(), "(provision_deployment, boot_nodes running) has failed: no capacity") {
		t.Errorf("error %v", err)
	}
	// The key has expired.
	err = clientOf(t, problem(401, "unauthenticated", false)).WaitFor(t.Context(), 7)
	if err == nil || HasFailed(err) || !strings.Contains(err.Error(), "unauthenticated") {
		t.Errorf("error %v", err)
	}
}
