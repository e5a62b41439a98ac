// Package request has the form of every request to the two APIs.
package request

import (
	"fmt"
	"net/url"
	"regexp"
)

// Main and Supervisor are the APIs. A request to one of them does not fit the other.
type (
	Main       struct{}
	Supervisor struct{}
)

// Nothing is an answer without a body.
type Nothing struct{}

// To is a request to an API, with the type of the body of its successful answer.
type To[API, Answer any] struct {
	Method string
	// Path is escaped.
	Path  string
	Query url.Values
	// Body becomes JSON. Nil: the request has none.
	Body any
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

// New puts the values into the placeholders of the path, in their order.
func New[API, Answer any](method, path string, values ...any) To[API, Answer] {
	next := 0
	filled := placeholder.ReplaceAllStringFunc(path, func(string) string {
		next++
		return url.PathEscape(fmt.Sprint(values[next-1]))
	})
	return To[API, Answer]{Method: method, Path: filled, Query: url.Values{}}
}

// With adds a member to the query. A nil value adds nothing.
func With[API, Answer, Value any](request To[API, Answer], name string, value *Value) To[API, Answer] {
	if value != nil {
		request.Query.Set(name, fmt.Sprint(*value))
	}
	return request
}

// WithBody returns the request with a body.
func (r To[API, Answer]) WithBody(body any) To[API, Answer] {
	r.Body = body
	return r
}
