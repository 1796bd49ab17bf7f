// What a newer OpenAPI document takes away from the clients of an older one.
import type { OpenApi } from '../../src/serve/describe/openapi.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly $ref: string }>
  readonly responses: Readonly<Record<string, Response>>
}

interface Response {
  readonly $ref?: string
  readonly headers?: Json
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>
}

/** One line for each operation, parameter, header, media type or field that is gone or has another type. */
export function breakingChanges(old: OpenApi, next: OpenApi): string[] {
  return Object.entries(old.paths).flatMap(([path, { get }]) => {
    const now = next.paths[path]?.get as unknown as Operation | undefined
    if (now === undefined) return [`${path} is gone`]
    const was = get as unknown as Operation
    const parameters = new Set(now.parameters.map(({ $ref }) => $ref))
    return [
      ...was.parameters
        .filter(({ $ref }) => !parameters.has($ref))
        .map(({ $ref }) => `${path}: parameter ${$ref.split('/').at(-1)} is gone`),
      ...Object.entries(was.responses).flatMap(([status, response]) => {
        const where = `${path} ${status}`
        const other = now.responses[status]
        if (other === undefined) return [`${where} is gone`]
        return responseChanges(where, resolved(old, response), resolved(next, other))
      }),
    ]
  })

  function responseChanges(where: string, was: Response, now: Response): string[] {
    const { headers = {}, content = {} } = now
    return [
      ...Object.keys(was.headers ?? {})
        .filter(name => !Object.hasOwn(headers, name))
        .map(name => `${where}: header ${name} is gone`),
      ...Object.entries(was.content ?? {}).flatMap(([type, { schema = {} }]) => {
        const other = content[type]
        if (other === undefined) return [`${where}: ${type} is gone`]
        return schemaChanges(`${where} ${type}`, schema, other.schema ?? {})
      }),
    ]
  }

  function schemaChanges(where: string, wasRef: Json, nowRef: Json): string[] {
    const [was, now] = [resolved(old, wasRef), resolved(next, nowRef)]
    const changed = ['type', 'format', 'const', 'pattern'].filter(
      key => JSON.stringify(was[key]) !== JSON.stringify(now[key]),
    )
    const properties = (now['properties'] ?? {}) as Readonly<Record<string, Json>>
    return [
      ...changed.map(
        key => `${where}: ${key} was ${JSON.stringify(was[key])}, is ${JSON.stringify(now[key])}`,
      ),
      ...Object.entries((was['properties'] ?? {}) as Json).flatMap(([name, property]) => {
        const other = properties[name]
        if (other === undefined) return [`${where}: ${name} is gone`]
        return schemaChanges(`${where} ${name}`, property as Json, other)
      }),
      ...('items' in was
        ? schemaChanges(`${where}[]`, was['items'] as Json, (now['items'] ?? {}) as Json)
        : []),
    ]
  }
}

function resolved<T extends Json | Response>({ components }: OpenApi, value: T): T {
  const { $ref } = value as { readonly $ref?: string }
  if ($ref === undefined) return value
  const [, , kind = '', name = ''] = $ref.split('/')
  return components[kind]![name] as T
}
