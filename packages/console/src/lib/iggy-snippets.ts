import type { Connection, Snippet } from './snippets.js';

/** The shortest client of Apache Iggy over HTTP that sends a message and reads it. No language but Rust needs a library. */
export const iggySnippets = (connection: Connection): readonly Snippet[] =>
  [javascript, python, go, java, csharp, rust].map((write) => write(connection));

const string = (text: string): string => JSON.stringify(text);
const address = ({ host, port }: Connection): string => string(`http://${host}:${port}`);
/** JSON inside of a string of the language. */
const login = ({ username, password }: Connection): string => JSON.stringify({ username, password });
const TOPIC = JSON.stringify({
  ...{ name: 'hello', partitions_count: 1, compression_algorithm: 'none', message_expiry: 0, max_topic_size: 0 },
});
const LAST = '?consumer_id=1&partition_id=0&kind=last&value=0&count=1&auto_commit=false';
/** A message for the only partition, whose number is four bytes. */
const message = (text: string): string =>
  JSON.stringify({
    partitioning: { kind: 'partition_id', value: btoa('\0\0\0\0') },
    messages: [{ id: 0, payload: btoa(text) }],
  });
/** Rust has other escapes than JSON. Its raw strings have none. */
const rawString = (text: string): string => `r##"${text}"##`;

const javascript = (to: Connection): Snippet => ({
  language: 'JavaScript',
  install: '',
  file: 'hello.mjs',
  run: 'node hello.mjs',
  text: `let token = '';
async function call(method, path, body) {
  const headers = { 'content-type': 'application/json', authorization: \`Bearer \${token}\` };
  const response = await fetch(${address(to)} + path, { method, headers, body });
  return response.json().catch(() => null);
}
const { access_token } = await call('POST', '/users/login', ${string(login(to))});
token = access_token.token;
// An answer that the stream or the topic exists already is no problem.
await call('POST', '/streams', '{"name":"hello"}');
await call('POST', '/streams/hello/topics', ${string(TOPIC)});
await call('POST', '/streams/hello/topics/hello/messages', ${string(message('Hello from JavaScript'))});
const polled = await call('GET', '/streams/hello/topics/hello/messages${LAST}');
console.log('hello', atob(polled.messages[0].payload));
`,
});

const python = (to: Connection): Snippet => ({
  language: 'Python',
  install: '',
  file: 'hello.py',
  run: 'python hello.py',
  text: `import base64, json, urllib.error, urllib.request

token = ""

def call(method, path, body=None):
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    request = urllib.request.Request(${address(to)} + path, body and body.encode(), headers, method=method)
    try:
        text = urllib.request.urlopen(request).read()
    except urllib.error.HTTPError as refusal:
        text = refusal.read()
    return json.loads(text or "null")

token = call("POST", "/users/login", ${string(login(to))})["access_token"]["token"]
# An answer that the stream or the topic exists already is no problem.
call("POST", "/streams", '{"name":"hello"}')
call("POST", "/streams/hello/topics", ${string(TOPIC)})
call("POST", "/streams/hello/topics/hello/messages", ${string(message('Hello from Python'))})
polled = call("GET", "/streams/hello/topics/hello/messages${LAST}")
print("hello", base64.b64decode(polled["messages"][0]["payload"]).decode())
`,
});

const go = (to: Connection): Snippet => ({
  language: 'Go',
  install: 'go mod init hello',
  file: 'hello.go',
  run: 'go run hello.go',
  text: `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

var token string

type answer struct {
	AccessToken struct{ Token string } \`json:"access_token"\`
	Messages    []struct{ Payload []byte }
}

func call(method, path, body string) (got answer) {
	request, _ := http.NewRequest(method, ${address(to)}+path, strings.NewReader(body))
	request.Header.Set("content-type", "application/json")
	request.Header.Set("authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	json.NewDecoder(response.Body).Decode(&got)
	return
}

func main() {
	token = call("POST", "/users/login", ${string(login(to))}).AccessToken.Token
	// An answer that the stream or the topic exists already is no problem.
	call("POST", "/streams", "{\\"name\\":\\"hello\\"}")
	call("POST", "/streams/hello/topics", ${string(TOPIC)})
	call("POST", "/streams/hello/topics/hello/messages", ${string(message('Hello from Go'))})
	polled := call("GET", "/streams/hello/topics/hello/messages${LAST}", "")
	fmt.Println("hello", string(polled.Messages[0].Payload))
}
`,
});

const java = (to: Connection): Snippet => ({
  language: 'Java',
  install: '',
  file: 'Hello.java',
  run: 'java Hello.java',
  text: `import java.net.URI;
import java.net.http.*;
import java.util.Base64;
import java.util.regex.Pattern;

public class Hello {
  static String token = "";

  static String call(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(${address(to)} + path))
        .header("content-type", "application/json")
        .header("authorization", "Bearer " + token)
        .method(method, HttpRequest.BodyPublishers.ofString(body));
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  static String member(String name, String json) {
    var found = Pattern.compile("\\"" + name + "\\" *: *\\"([^\\"]*)\\"").matcher(json);
    if (!found.find()) throw new IllegalStateException(json);
    return found.group(1);
  }

  public static void main(String[] arguments) throws Exception {
    token = member("token", call("POST", "/users/login", ${string(login(to))}));
    // An answer that the stream or the topic exists already is no problem.
    call("POST", "/streams", "{\\"name\\":\\"hello\\"}");
    call("POST", "/streams/hello/topics", ${string(TOPIC)});
    call("POST", "/streams/hello/topics/hello/messages", ${string(message('Hello from Java'))});
    var polled = call("GET", "/streams/hello/topics/hello/messages${LAST}", "");
    System.out.println("hello " + new String(Base64.getDecoder().decode(member("payload", polled))));
  }
}
`,
});

const csharp = (to: Connection): Snippet => ({
  language: 'C#',
  install: 'dotnet new console --output . --name hello',
  file: 'Program.cs',
  run: 'dotnet run',
  text: `using System.Text;
using System.Text.Json.Nodes;

var client = new HttpClient { BaseAddress = new Uri(${address(to)}) };
async Task<JsonNode?> Call(string method, string path, string body = "")
{
    var request = new HttpRequestMessage(new HttpMethod(method), path);
    if (body != "") request.Content = new StringContent(body, Encoding.UTF8, "application/json");
    var response = await client.SendAsync(request);
    var text = await response.Content.ReadAsStringAsync();
    return text.StartsWith('{') ? JsonNode.Parse(text) : null;
}

var login = await Call("POST", "/users/login", ${string(login(to))});
client.DefaultRequestHeaders.Add("authorization", "Bearer " + login!["access_token"]!["token"]);
// An answer that the stream or the topic exists already is no problem.
await Call("POST", "/streams", "{\\"name\\":\\"hello\\"}");
await Call("POST", "/streams/hello/topics", ${string(TOPIC)});
await Call("POST", "/streams/hello/topics/hello/messages", ${string(message('Hello from C#'))});
var polled = await Call("GET", "/streams/hello/topics/hello/messages${LAST}");
var payload = (string)polled!["messages"]![0]!["payload"]!;
Console.WriteLine("hello " + Encoding.UTF8.GetString(Convert.FromBase64String(payload)));
`,
});

const rust = (to: Connection): Snippet => ({
  language: 'Rust',
  install: 'cargo init --name hello && cargo add ureq@2 --features json && cargo add serde_json@1 base64@0.22',
  file: 'src/main.rs',
  run: 'cargo run',
  text: `use base64::{engine::general_purpose::STANDARD, Engine};
use serde_json::Value;

fn call(token: &str, method: &str, path: &str, body: &str) -> Value {
    let request = ureq::request(method, &format!("{}{}", ${address(to)}, path))
        .set("content-type", "application/json")
        .set("authorization", &format!("Bearer {token}"));
    match if body.is_empty() { request.call() } else { request.send_string(body) } {
        Ok(response) | Err(ureq::Error::Status(_, response)) => response.into_json().unwrap_or(Value::Null),
        Err(error) => panic!("{error}"),
    }
}

fn main() {
    let login = call("", "POST", "/users/login", ${rawString(login(to))});
    let token = login["access_token"]["token"].as_str().unwrap();
    // An answer that the stream or the topic exists already is no problem.
    call(token, "POST", "/streams", ${rawString('{"name":"hello"}')});
    call(token, "POST", "/streams/hello/topics", ${rawString(TOPIC)});
    call(token, "POST", "/streams/hello/topics/hello/messages", ${rawString(message('Hello from Rust'))});
    let polled = call(token, "GET", "/streams/hello/topics/hello/messages${LAST}", "");
    let payload = STANDARD.decode(polled["messages"][0]["payload"].as_str().unwrap()).unwrap();
    println!("hello {}", String::from_utf8_lossy(&payload));
}
`,
});
