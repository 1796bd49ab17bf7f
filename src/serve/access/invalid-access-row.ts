/** A key's row of the access query that names no organization that can be served. */
export class InvalidAccessRow extends Error {
  override readonly name = 'InvalidAccessRow'
  /** Of the query, as messages name it. */
  readonly file: string
  /** As far as the row tells. */
  readonly organizationId: string | undefined
  /** Whose row it is, what was found and what was expected. */
  readonly fault: string

  constructor(file: string, organizationId: string | undefined, found: string) {
    const whose =
      organizationId === undefined
        ? 'an organization'
        : `organization ${JSON.stringify(organizationId)}`
    const fault = `${whose}: ${found}`
    super(`${file}: ${fault}`)
    this.file = file
    this.organizationId = organizationId
    this.fault = fault
  }
}

export function isValidRow<Row extends object>(found: Row | InvalidAccessRow): found is Row {
  return !(found instanceof InvalidAccessRow)
}
