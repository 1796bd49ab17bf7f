// Valid files of sql/access/, and edits of them with and without faults.
import { examplesIn } from '../harness/findings-table.ts'
import { fixture } from '../harness/fixtures.ts'

export const KEYS = 'organization_by_key.sql'
export const LIST = 'organizations.sql'
export const FILES = {
  [KEYS]: fixture('access/organization_by_key'),
  [LIST]: fixture('access/organizations'),
}
export type Edit = readonly [file: keyof typeof FILES, find: string, replace: string]

function faultsOf(file: Edit[0], table: string) {
  return examplesIn(table).map(({ text, findings: [finding = ''] }) => {
    const [find = '', replace = ''] = text.split(' -> ')
    return { title: text, edit: [file, find, replace] as Edit, finding }
  })
}

/** Each edit causes one finding, which fails readiness in the file of keys, and degrades it in the other. */
export const FAULTS = [
  ...faultsOf(
    KEYS,
    String.raw`
:3: column key_hash is text, expected the 32 bytes of SHA-256 as bytea: decode\(\.\.\., 'hex'\) makes them of hexadecimal text
  keys.hash as -> encode(keys.hash, 'hex') as
:8: operator does not exist: text = bytea, expected what the database can plan.*
  keys.hash = -> encode(keys.hash, 'hex') =
:6: column entitled is text, expected boolean
  true -> 'yes'
:6: column entitled is integer, expected boolean
  true -> 1
:2: no column key_hash is selected, expected the 32 bytes of SHA-256 as bytea: .*
  as key_hash -> as hash_of_key
:6: column entitled is selected twice, expected it once
  true as entitled -> true as entitled, false as entitled
:6: column organization_name is integer, expected text
  true as entitled -> true as entitled, 5 as organization_name
:6: column reports is text, expected text\[\]
  true as entitled -> true as entitled, 'report:sales' as reports
:6: column parameters is json, expected jsonb
  true as entitled -> true as entitled, '{}'::json as parameters
:5: column time_zone is integer, expected text, an IANA name such as Europe/Berlin
  keys.zone -> 3
:5: column keys.zoned does not exist, expected what the database can plan.*
  keys.zone -> keys.zoned
`,
  ),
  ...faultsOf(
    LIST,
    String.raw`
:1: no column nickname is selected, expected text
  as nickname -> as nick
:4: column "zoned" does not exist, expected what the database can plan.*
  zone as -> zoned as
: organization "moscow": time_zone is null, expected an IANA name
  zone as -> nullif(zone, 'Europe/Moscow') as
: organization "moscow": time_zone is "Europe/Moskau", which Node does not know, .*
  zone as -> replace(zone, 'Moscow', 'Moskau') as
`,
  ),
]

/** These edits cause no finding. */
export const VALID: Readonly<Record<string, readonly Edit[]>> = {
  'a name, domains, an enum, varchar, and more columns in another order': [
    [KEYS, 'true as entitled', `true as entitled, keys.id::varchar as organization_name`],
    [KEYS, 'keys.hash as', 'keys.hash::access.hash as'],
    [KEYS, 'true', 'true::access.flag'],
    [KEYS, 'keys.zone', 'keys.zone::access.zone'],
    [KEYS, 'keys.id', 'keys.id::varchar(20)'],
    [LIST, 'zone as', 'zone::name as'],
    [KEYS, 'select', 'select 1, 2 as other, 3 as other,'],
    [KEYS, 'as key_hash', 'as "key_hash"'],
  ],
  'a union below a CTE': [
    [KEYS, 'select', 'with found as (select'],
    [
      KEYS,
      'any (:key_hashes)',
      'any (:key_hashes)) select * from found union all select * from found where false',
    ],
  ],
  'columns of a star': [
    [KEYS, 'from', `, own.* from (select 'a' as organization_name, array['a'] as reports) as own,`],
  ],
  'no row': [[LIST, 'from access.keys', 'from access.keys where false']],
}
