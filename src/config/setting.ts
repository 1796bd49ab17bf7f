/** The type of a row in the table of settings. */

interface BaseSetting {
  /** The environment variable. */
  readonly name: string
  /** One line of Markdown, repeated verbatim in config/README.md. */
  readonly help: string
  /** `NAME_FILE` may name a file with the value. No message shows the value. */
  readonly secret?: true
  readonly required?: true
  /** Author commands read it, too. */
  readonly ofCommands?: true
  /** The default as the text of the variable. */
  readonly default?: string
  /** Description of a default that is derived from other settings. */
  readonly defaultsTo?: string
}

/** Numbers have inclusive bounds in their base unit: bytes, milliseconds. */
export type Setting = BaseSetting &
  (
    | {
        readonly kind: 'urls' | 'path' | 'host' | 'port' | 'boolean' | 'networks' | 'origins'
      }
    | {
        readonly kind: 'integer' | 'bytes' | 'duration'
        readonly minimum: number
        readonly maximum: number
      }
    | { readonly kind: 'enum'; readonly values: readonly string[] }
  )
