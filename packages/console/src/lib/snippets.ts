/** Where and how a client connects. */
export interface Connection {
  host: string;
  port: number;
  username: string;
  password: string;
}

export interface Snippet {
  language: string;
  /** The command that installs the library. Empty: the language needs none. */
  install: string;
  /** The file for the text. */
  file: string;
  /** The command that runs the file. */
  run: string;
  text: string;
}

/** The shortest client that sends a message and prints it: JSON strings are strings in each of these languages. */
export const mqttSnippets = (connection: Connection): readonly Snippet[] =>
  [javascript, python, go, java, csharp, rust].map((write) => write(connection));

const string = (text: string): string => JSON.stringify(text);
/** Rust has other escapes than JSON. Its raw strings have none. */
const rawString = (text: string): string => `r##"${text}"##`;
/** C# reads JSON strings. */
const url = ({ host, port }: Connection): string => string(`mqtt://${host}:${port}`);

const javascript = (to: Connection): Snippet => ({
  language: 'JavaScript',
  install: 'npm install mqtt@5',
  file: 'hello.mjs',
  run: 'node hello.mjs',
  text: `import mqtt from 'mqtt';

const client = await mqtt.connectAsync(${url(to)}, {
  username: ${string(to.username)},
  password: ${string(to.password)},
});
client.on('message', (topic, message) => {
  console.log(topic, message.toString());
  client.end();
});
await client.subscribeAsync('hello');
await client.publishAsync('hello', 'Hello from JavaScript', { qos: 1 });
`,
});

const python = (to: Connection): Snippet => ({
  language: 'Python',
  install: 'pip install "paho-mqtt>=2"',
  file: 'hello.py',
  run: 'python hello.py',
  text: `import paho.mqtt.client as mqtt

def on_connect(client, userdata, flags, reason, properties):
    client.subscribe("hello", qos=1)

def on_subscribe(client, userdata, mid, reasons, properties):
    client.publish("hello", "Hello from Python", qos=1)

def on_message(client, userdata, message):
    print(message.topic, message.payload.decode())
    client.disconnect()

client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
client.username_pw_set(${string(to.username)}, ${string(to.password)})
client.connect(${string(to.host)}, ${to.port})
client.loop_forever()
`,
});

const go = (to: Connection): Snippet => ({
  language: 'Go',
  install: 'go mod init hello && go get github.com/eclipse/paho.mqtt.golang@v1.5.0',
  file: 'hello.go',
  run: 'go run hello.go',
  text: `package main

import (
	"fmt"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

func check(token mqtt.Token) {
	if token.Wait(); token.Error() != nil {
		panic(token.Error())
	}
}

func main() {
	options := mqtt.NewClientOptions().AddBroker(${string(`tcp://${to.host}:${to.port}`)}).SetUsername(${string(to.username)}).SetPassword(${string(to.password)})
	client := mqtt.NewClient(options)
	check(client.Connect())
	received := make(chan string)
	check(client.Subscribe("hello", 1, func(_ mqtt.Client, message mqtt.Message) {
		received <- message.Topic() + " " + string(message.Payload())
	}))
	check(client.Publish("hello", 1, false, "Hello from Go"))
	fmt.Println(<-received)
	client.Disconnect(250)
}
`,
});

const java = (to: Connection): Snippet => ({
  language: 'Java',
  install: 'mvn dependency:copy -Dartifact=org.eclipse.paho:org.eclipse.paho.client.mqttv3:1.2.5 -DoutputDirectory=.',
  file: 'Hello.java',
  run: 'java -cp org.eclipse.paho.client.mqttv3-1.2.5.jar Hello.java',
  text: `import java.util.concurrent.CountDownLatch;
import org.eclipse.paho.client.mqttv3.*;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

public class Hello {
  public static void main(String[] args) throws Exception {
    var client = new MqttClient(${string(`tcp://${to.host}:${to.port}`)}, MqttClient.generateClientId(), new MemoryPersistence());
    var options = new MqttConnectOptions();
    options.setUserName(${string(to.username)});
    options.setPassword(${string(to.password)}.toCharArray());
    client.connect(options);
    var received = new CountDownLatch(1);
    client.subscribe("hello", 1, (topic, message) -> {
      System.out.println(topic + " " + message);
      received.countDown();
    });
    client.publish("hello", "Hello from Java".getBytes(), 1, false);
    received.await();
    client.disconnect();
    client.close();
  }
}
`,
});

const csharp = (to: Connection): Snippet => ({
  language: 'C#',
  install: 'dotnet new console && dotnet add package MQTTnet --version 5.0.1.1416',
  file: 'Program.cs',
  run: 'dotnet run',
  text: `using MQTTnet;

using var client = new MqttClientFactory().CreateMqttClient();
var received = new TaskCompletionSource();
client.ApplicationMessageReceivedAsync += message =>
{
    Console.WriteLine($"{message.ApplicationMessage.Topic} {message.ApplicationMessage.ConvertPayloadToString()}");
    received.TrySetResult();
    return Task.CompletedTask;
};
await client.ConnectAsync(new MqttClientOptionsBuilder()
    .WithTcpServer(${string(to.host)}, ${to.port})
    .WithCredentials(${string(to.username)}, ${string(to.password)})
    .Build());
await client.SubscribeAsync("hello");
await client.PublishStringAsync("hello", "Hello from C#");
await received.Task;
await client.DisconnectAsync();
`,
});

const rust = (to: Connection): Snippet => ({
  language: 'Rust',
  install: 'cargo init --name hello && cargo add rumqttc@0.24',
  file: 'src/main.rs',
  run: 'cargo run',
  text: `use rumqttc::{Client, Event, MqttOptions, Packet, QoS};

fn main() {
    let mut options = MqttOptions::new("hello-rust", ${rawString(to.host)}, ${to.port});
    options.set_credentials(${rawString(to.username)}, ${rawString(to.password)});
    let (client, mut connection) = Client::new(options, 10);
    client.subscribe("hello", QoS::AtLeastOnce).unwrap();
    client.publish("hello", QoS::AtLeastOnce, false, "Hello from Rust").unwrap();
    for event in connection.iter() {
        if let Event::Incoming(Packet::Publish(message)) = event.unwrap() {
            println!("{} {}", message.topic, String::from_utf8_lossy(&message.payload));
            break;
        }
    }
}
`,
});
