/** Expects responses to be as an OpenAPI document says. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import type { Answer } from '../harness/ask.ts'
import type { OpenApi } from '../harness/documented.ts'

type Content = Readonly<Record<string, { readonly schema: object }>>

export interface Documented {
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Content
}

export function expectationsOf({ components, paths }: OpenApi) {
  function resolve(response: object): Documented {
    const { $ref } = response as { readonly $ref?: string }
    if ($ref === undefined) return response
    const [, , kind = '', name = ''] = $ref.split('/')
    return components[kind]![name] as Documented
  }

  /** A validator of a response's body. */
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'api', components })

  function expectValid(schema: object, body: unknown, what: string): void {
    const { $ref } = schema as { readonly $ref?: string }
    const validate = ajv.compile($ref === undefined ? schema : { $ref: `api${$ref}` })
    validate(body)
    expect(validate.errors ?? [], `${what}: ${ajv.errorsText(validate.errors)}`).to.deep.equal([])
  }

  /** @param path as the document has it */
  function expectDocumented(path: string, { status, headers, json, text }: Answer): void {
    const what = `${path} ${status}`
    const listed = paths[path]?.get.responses[status]
    expect(listed, what).to.not.equal(undefined)
    const { content = {} } = resolve(listed!)
    const type = headers.get('Content-Type')?.replace(/;.*$/, '') ?? ''
    if (status === 304) return void expect(text, what).to.equal('')
    expect(Object.keys(content), what).to.include(type)
    expectValid(content[type]!.schema, json ?? text, what)
  }

  return { expectValid, expectDocumented }
}
