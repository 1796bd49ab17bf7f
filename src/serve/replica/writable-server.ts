/** A server that takes writes where a replica was expected. The message is for the log and for authors. */
export class WritableServerError extends Error {
  override readonly name = 'WritableServerError'

  constructor() {
    super('the server at DATABASE_URL is not in recovery; ALLOW_PRIMARY=true lets it in')
  }
}
