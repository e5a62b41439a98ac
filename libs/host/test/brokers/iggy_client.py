"""A client of Apache Iggy with its Python SDK: iggy_client.py <create|send|read> <address> <user> <stream> <from> <count>.

Reads the password from the environment variable IGGY_PASSWORD. `send` sends `message <number>` in batches of 100 and prints how many
were acknowledged. `read` prints all texts of the partition, one per line.
"""

import asyncio
import os
import sys

from apache_iggy import IggyClient, PollingStrategy, SendMessage


async def main(what: str, address: str, user: str, stream: str, start: int, count: int) -> None:
    client = IggyClient(address)
    await client.connect()
    await client.login_user(user, os.environ["IGGY_PASSWORD"])
    if what == "create":
        await client.create_stream(name=stream)
        await client.create_topic(stream=stream, name=stream, partitions_count=1)
    elif what == "send":
        for first in range(start, start + count, 100):
            batch = [SendMessage(f"message {number}") for number in range(first, min(first + 100, start + count))]
            await client.send_messages(stream, stream, 0, batch)
        print(count)
    else:
        messages = await client.poll_messages(stream, stream, 0, PollingStrategy.Offset(start), count, False)
        for message in messages:
            print(message.payload().decode())


asyncio.run(main(*sys.argv[1:5], int(sys.argv[5]), int(sys.argv[6])))
# The threads of the SDK sometimes abort the process while Python ends.
sys.stdout.flush()
os._exit(0)
