/** The page of a node with iggy. The address has the place: all streams, one stream, or one topic. */
import { openPage } from '../session.js';
import { clear, showMessages, showStreams, showTopics } from './views.js';

const PLACE = /^#\/(?:streams\/(\d+)(?:\/topics\/(\d+))?)?$/;

await openPage({ show, leave: clear });

function show() {
  const [, stream, topic] = PLACE.exec(location.hash) ?? [];
  if (topic !== undefined) void showMessages(stream, topic);
  else if (stream !== undefined) void showTopics(stream);
  else void showStreams();
}
