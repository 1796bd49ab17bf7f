/** The body of `/metrics`: some metrics, each encoded already. */

/**
 * @param codes in the order of the answer
 * @param json metric code to its JSON, as in `MetricValues`
 */
export function metricsBody(codes: readonly string[], json: ReadonlyMap<string, string>): Buffer {
  return Buffer.from(`{"metrics":[${codes.map(code => json.get(code)).join(',\n')}]}\n`)
}
