/** Totals since the process started. Bytes are MQTT bytes, without WebSocket framing. */
export class Traffic {
  bytesReceived = 0;
  bytesSent = 0;
  messagesReceived = 0;
  messagesSent = 0;
}
