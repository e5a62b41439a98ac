// Reads {"patterns": [...], "texts": [...]} and writes, for each pattern, the texts that it matches in RE2.
package main

import (
	"encoding/json"
	"log"
	"os"
	"regexp"
)

func main() {
	var question struct{ Patterns, Texts []string }
	if err := json.NewDecoder(os.Stdin).Decode(&question); err != nil {
		log.Fatal(err)
	}
	answer := make([]any, len(question.Patterns))
	for index, pattern := range question.Patterns {
		answer[index] = matches(pattern, question.Texts)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		log.Fatal(err)
	}
}

// matches returns the error of a pattern that does not compile.
func matches(pattern string, texts []string) any {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return err.Error()
	}
	matching := []string{}
	for _, text := range texts {
		if compiled.MatchString(text) {
			matching = append(matching, text)
		}
	}
	return matching
}
