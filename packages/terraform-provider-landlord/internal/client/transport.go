package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

const (
	// attempts is how often a request may fail at most. A wait for other work is no failure.
	attempts       = 3
	attemptTimeout = 90 * time.Second
	firstWait      = 250 * time.Millisecond
	longestWait    = time.Minute
	longestAnswer  = 16 << 20
	shownOfAnswer  = 200
)

// transport sends the requests of the provider. It repeats requests that may succeed later, and turns refusals into errors.
type transport struct {
	http      *http.Client
	key       string
	userAgent string
}

func newTransport(key, userAgent string) *transport {
	return &transport{key: key, userAgent: userAgent, http: &http.Client{
		Timeout: attemptTimeout,
		// A redirect could carry the key to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("the answer is a redirect") },
	}}
}

// Do sends the request. Every answer that it returns is a success.
func (t *transport) Do(request *http.Request) (*http.Response, error) {
	isKeyed := request.Method == http.MethodPost || request.Method == http.MethodPut
	idempotencyKey := uuid.NewString()
	mayBeDone := false
	failures := 0
	for {
		if isKeyed {
			request.Header.Set("idempotency-key", idempotencyKey)
		}
		response, err := t.attempt(request)
		if err == nil {
			return response, nil
		}
		mayBeDone = hasUnknownEnd(err) || mayBeDone && !isKept(err)
		if !isInTheWay(err) {
			failures++
		}
		wait, ok := waitBefore(err, isKeyed || request.Method == http.MethodGet, failures)
		if !ok || pause(request.Context(), wait) != nil {
			if isKeyed && mayBeDone {
				return nil, &unanswered{err}
			}
			return nil, err
		}
		// The server keeps a refusal under its key, so another attempt needs another key.
		if isKept(err) {
			idempotencyKey = uuid.NewString()
		}
	}
}

func (t *transport) attempt(request *http.Request) (*http.Response, error) {
	once := request.Clone(request.Context())
	if request.GetBody != nil {
		body, err := request.GetBody()
		if err != nil {
			return nil, err
		}
		once.Body = body
	}
	once.Header.Set("accept", "application/json")
	once.Header.Set("user-agent", t.userAgent)
	once.Header.Set("ld-api-key", t.key)
	response, err := t.http.Do(once)
	if err != nil {
		return nil, connectionErrorOf(once, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
	if err != nil {
		return nil, connectionErrorOf(once, err)
	}
	if !isSuccess(response) {
		return nil, refusalOf(once, response, body)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// isSuccess is false for a page of another server, such as a web console or a sign-in page, which can have the status 200, too.
func isSuccess(response *http.Response) bool {
	isJSON := strings.Contains(response.Header.Get("content-type"), "json")
	return response.StatusCode == http.StatusNoContent || response.StatusCode < http.StatusMultipleChoices && isJSON
}

func refusalOf(request *http.Request, response *http.Response, body []byte) error {
	if problem := problemOf(body); problem != nil {
		if seconds, err := strconv.Atoi(response.Header.Get("retry-after")); err == nil {
			problem.retryAfter = time.Duration(seconds) * time.Second
		}
		return problem
	}
	text := strings.TrimSpace(string(body))
	if len(text) > shownOfAnswer {
		text = text[:shownOfAnswer]
	}
	return &unexpectedAnswer{
		status: response.StatusCode,
		text:   fmt.Sprintf("%s %s: the answer %d is not of Landlord: %s", request.Method, request.URL.Path, response.StatusCode, text),
	}
}

// waitBefore returns the time before another attempt. False: another attempt cannot help, or could do the change twice.
func waitBefore(err error, isSafe bool, failures int) (time.Duration, bool) {
	backOff := min(firstWait<<min(max(failures-1, 0), 8), longestWait)
	wait := min(backOff+rand.N(backOff), longestWait)
	var problem *Problem
	if errors.As(err, &problem) {
		// The work in the way ends by itself, so only the deadline of the resource ends the wait.
		mayRepeat := problem.Retryable && (isSafe || problem.hadNoEffect()) && (isInTheWay(err) || failures < attempts)
		if problem.retryAfter > 0 {
			wait = problem.retryAfter
		}
		return wait, mayRepeat && wait <= longestWait
	}
	return wait, isTransient(err) && isSafe && failures < attempts
}

// isInTheWay is true if other work must end first: an operation of the deployment, or the first request with the same key.
func isInTheWay(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Status == http.StatusConflict && problem.Retryable
}

// isTransient is true if the server is away or busy, so that the same read can succeed later.
func isTransient(err error) bool {
	var problem *Problem
	if errors.As(err, &problem) {
		return problem.Retryable
	}
	var unexpected *unexpectedAnswer
	if errors.As(err, &unexpected) {
		return unexpected.status >= http.StatusBadGateway
	}
	var broken *connectionError
	return errors.As(err, &broken)
}

// hasUnknownEnd is true if the server may have done what the request asks for.
func hasUnknownEnd(err error) bool {
	var problem *Problem
	if errors.As(err, &problem) {
		return !problem.hadNoEffect()
	}
	var failed *net.OpError
	isUnsent := errors.As(err, &failed) && failed.Op == "dial"
	return isTransient(err) && !isUnsent
}

// unanswered is the error of a change that the server may have done, although no attempt has a successful answer.
type unanswered struct{ error }

func (e *unanswered) Unwrap() error { return e.error }

// IsUnanswered is true if the server may have done the change.
func IsUnanswered(err error) bool {
	var lost *unanswered
	return errors.As(err, &lost)
}

// isKept is true for refusals that the server repeats under the same idempotency key.
func isKept(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Status < 500 && problem.Status != http.StatusTooManyRequests &&
		problem.Code != "idempotent_request_in_progress"
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

type connectionError struct{ error }

func (e *connectionError) Unwrap() error { return e.error }

// connectionErrorOf returns an error without the query of the request, because a query can have a one-time code.
func connectionErrorOf(request *http.Request, err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return &connectionError{fmt.Errorf("%s %s://%s%s: %w", request.Method, request.URL.Scheme, request.URL.Host, request.URL.Path, err)}
}

type unexpectedAnswer struct {
	status int
	text   string
}

func (e *unexpectedAnswer) Error() string { return e.text }
