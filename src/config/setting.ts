/** What a setting is. */

interface Described {
  /** The environment variable. */
  readonly name: string
  /** One line, Markdown; the README shows it word for word. */
  readonly help: string
  /** `NAME_FILE` may name a file with the value, and no message shows it. */
  readonly secret?: true
  readonly required?: true
  /** As one would set it. */
  readonly default?: string
  /** Words for a default that is worked out from something else. */
  readonly defaultsTo?: string
}

/** A number has bounds in its base unit: itself, bytes, milliseconds. Both are allowed values. */
export type Setting = Described &
  (
    | { readonly kind: 'url' | 'urls' | 'path' | 'host' | 'port' | 'boolean' | 'budget' }
    | {
        readonly kind: 'integer' | 'bytes' | 'duration'
        readonly minimum: number
        readonly maximum: number
      }
    | { readonly kind: 'enum'; readonly values: readonly string[] }
  )
