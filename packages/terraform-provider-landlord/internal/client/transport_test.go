package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answers serves one answer after the other, and remembers the requests.
type answers struct {
	t     *testing.T
	queue []func(http.ResponseWriter)
	keys  []string
	body  []string
}

func (a *answers) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	a.body = append(a.body, string(body))
	a.keys = append(a.keys, request.Header.Get("idempotency-key"))
	if key := request.Header.Get("ld-api-key"); key != "secret" {
		a.t.Errorf("the key is %q", key)
	}
	next := a.queue[0]
	a.queue = a.queue[1:]
	next(response)
}

func problem(status int, code string, retryable bool) func(http.ResponseWriter) {
	return func(response http.ResponseWriter) {
		response.Header().Set("content-type", "application/problem+json")
		if status == http.StatusConflict && retryable {
			response.Header().Set("retry-after", "1")
		}
		response.WriteHeader(status)
		fmt.Fprintf(response, `{"status": %d, "code": %q, "detail": "no", "retryable": %t}`, status, code, retryable)
	}
}

func done(response http.ResponseWriter) { response.WriteHeader(http.StatusNoContent) }

func send(t *testing.T, method string, queue ...func(http.ResponseWriter)) (*answers, error) {
	t.Helper()
	served := &answers{t: t, queue: queue}
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, server.URL, strings.NewReader(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = newTransport("secret", "test").Do(request)
	return served, err
}

func TestARepetitionHasTheSameKeyAndBody(t *testing.T) {
	served, err := send(t, http.MethodPost, problem(503, "provider_unavailable", true), done)
	if err != nil {
		t.Fatal(err)
	}
	if len(served.keys) != 2 || served.keys[0] == "" || served.keys[0] != served.keys[1] || served.body[1] != `{"a":1}` {
		t.Errorf("keys %q, bodies %q", served.keys, served.body)
	}
}

func TestARepetitionAfterARefusalHasAnotherKey(t *testing.T) {
	served, err := send(t, http.MethodPut, problem(409, "state_conflict", true), done)
	if err != nil {
		t.Fatal(err)
	}
	if len(served.keys) != 2 || served.keys[0] == served.keys[1] {
		t.Errorf("keys %q", served.keys)
	}
}

func TestAStateConflictIsRepeatedLongerThanOtherRefusals(t *testing.T) {
	conflict := problem(409, "state_conflict", true)
	if _, err := send(t, http.MethodPost, conflict, conflict, conflict, done); err != nil {
		t.Error(err)
	}
	limited := problem(429, "rate_limited", true)
	served, err := send(t, http.MethodPost, limited, limited, limited, done)
	if err == nil || len(served.keys) != attempts {
		t.Errorf("%d attempts, error %v", len(served.keys), err)
	}
}

func TestTheFirstRequestThatStillRunsIsWaitedForUnderTheSameKey(t *testing.T) {
	lost := func(response http.ResponseWriter) { panic(http.ErrAbortHandler) }
	running := problem(409, "idempotent_request_in_progress", true)
	served, err := send(t, http.MethodPost, lost, running, running, running, done)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range served.keys {
		if key != served.keys[0] {
			t.Errorf("keys %q", served.keys)
		}
	}
	if len(served.keys) != 5 {
		t.Errorf("%d attempts", len(served.keys))
	}
}

func TestOnlyTheDeadlineEndsTheWaitForOtherWork(t *testing.T) {
	for _, code := range []string{"state_conflict", "idempotent_request_in_progress"} {
		conflict := &Problem{Status: 409, Code: code, Retryable: true}
		if wait, ok := waitBefore(conflict, true, attempts); !ok || wait > longestWait {
			t.Errorf("%s: wait %s, another attempt: %t", code, wait, ok)
		}
	}
	if _, ok := waitBefore(&Problem{Status: 409, Code: "name_taken"}, true, 1); ok {
		t.Error("a taken name is waited for")
	}
}

func TestADeletionIsNotRepeatedAfterAnUnknownEnd(t *testing.T) {
	served, err := send(t, http.MethodDelete, problem(500, "internal_error", true), done)
	var refusal *Problem
	if !errors.As(err, &refusal) || refusal.Code != "internal_error" || len(served.keys) != 1 || served.keys[0] != "" {
		t.Errorf("keys %q, error %v", served.keys, err)
	}
}

func TestADeletionIsRepeatedAfterAnOutageThatChangedNothing(t *testing.T) {
	for _, code := range []string{"service_busy", "storage_full"} {
		served, err := send(t, http.MethodDelete, problem(503, code, true), done)
		if err != nil || len(served.keys) != 2 {
			t.Errorf("%s: %d attempts, error %v", code, len(served.keys), err)
		}
	}
	unknown := func(response http.ResponseWriter) {
		response.Header().Set("content-type", "application/problem+json")
		response.WriteHeader(503)
		fmt.Fprint(response, `{"status": 503, "code": "service_busy", "detail": "no", "retryable": true, "outcome": "unknown"}`)
	}
	served, err := send(t, http.MethodDelete, unknown, done)
	if err == nil || len(served.keys) != 1 {
		t.Errorf("%d attempts after an unknown outcome, error %v", len(served.keys), err)
	}
}

func TestARefusalThatIsNotRetryableIsNotRepeated(t *testing.T) {
	served, err := send(t, http.MethodPost, problem(400, "validation_failed", false), done)
	if err == nil || len(served.keys) != 1 {
		t.Errorf("%d attempts, error %v", len(served.keys), err)
	}
}

func TestTheKeyDoesNotFollowARedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer other.Close()
	_, err := send(t, http.MethodDelete, func(response http.ResponseWriter) {
		response.Header().Set("location", other.URL)
		response.WriteHeader(http.StatusFound)
	})
	if err == nil {
		t.Error("there is no error")
	}
}

func TestAPageOfAnotherServerIsNamed(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusNotModified, http.StatusForbidden} {
		served, err := send(t, http.MethodPost, func(response http.ResponseWriter) {
			response.Header().Set("content-type", "text/html")
			response.WriteHeader(status)
			_, _ = io.WriteString(response, "<html>Sign in</html>")
		})
		isNamed := err != nil && strings.Contains(err.Error(), fmt.Sprintf("the answer %d is not of Landlord", status))
		if !isNamed || len(served.keys) != 1 {
			t.Errorf("status %d: %d attempts, error %v", status, len(served.keys), err)
		}
	}
}

func TestAnErrorOfAConnectionHasNoQuery(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, closed.URL+"/divisions/7?code=ABCD2345", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = newTransport("secret", "test").Do(request)
	if IsUnanswered(err) {
		t.Error("a request that was not sent may be done")
	}
	if err == nil || strings.Contains(err.Error(), "ABCD2345") || !strings.Contains(err.Error(), "PUT "+closed.URL+"/divisions/7: ") {
		t.Errorf("error %v", err)
	}
}

// lost ends the connection without an answer.
func lost(response http.ResponseWriter) {
	connection, _, err := response.(http.Hijacker).Hijack()
	if err == nil {
		connection.Close()
	}
}

func TestAChangeWithoutAnAnswerMayBeDone(t *testing.T) {
	busy := problem(503, "service_busy", true)
	cases := []struct {
		method   string
		queue    []func(http.ResponseWriter)
		expected bool
	}{
		{http.MethodPost, []func(http.ResponseWriter){lost, lost, lost}, true},
		{http.MethodPost, []func(http.ResponseWriter){lost, busy, busy}, true},
		{http.MethodPost, []func(http.ResponseWriter){lost, problem(409, "name_taken", false)}, false},
		{http.MethodPost, []func(http.ResponseWriter){busy, busy, busy}, false},
		{http.MethodGet, []func(http.ResponseWriter){lost, lost, lost}, false},
	}
	for index, one := range cases {
		if _, err := send(t, one.method, one.queue...); err == nil || IsUnanswered(err) != one.expected {
			t.Errorf("case %d: the change may be done: %t, error %v", index, !one.expected, err)
		}
	}
}
