import { clustersIggy, iggyLine, isProvenIggy } from './iggy-releases.js';

describe('The releases of Apache Iggy', () => {
  it.each([
    ['0.8.0', '0.8', true, false],
    ['0.8.12', '0.8', true, false],
    ['0.8.0-edge.1', '0.8.0-edge.1', false, false],
    ['0.7.9', '0.7', false, false],
    ['0.9.0-edge.5', '0.9.0-edge.5', false, true],
    ['0.9.0', '0.9', false, true],
    ['0.10.0', '0.10', false, true],
    ['1.0.0', '1.0', false, true],
    ['0.8', '0.8', false, false],
    ['', '', false, false],
  ])('puts %j into the line %j: proven %j, clusters %j', (release, line, isProven, clusters) => {
    expect([iggyLine(release), isProvenIggy(release), clustersIggy(release)]).toEqual([line, isProven, clusters]);
  });
});
