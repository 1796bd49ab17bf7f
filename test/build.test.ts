// `make build` in a small checkout: outputs follow their sources, and other files in dist/ are not changed.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { revisionOfBuild } from '../src/config/build-info.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'

/** Code for browsers, with a tsconfig.json of its own. */
const PAGE = 'src/page'

const SOURCES: Readonly<Record<string, string>> = {
  'src/main.ts': "import data from './data.json' with { type: 'json' }\nexport const main = data\n",
  'src/data.json': '{}\n',
  'src/gone/gone.ts':
    "import old from './old.json' with { type: 'json' }\nexport const gone = old\n",
  'src/gone/old.json': '{}\n',
  [`${PAGE}/main.ts`]: 'document.title = location.host\n',
  [`${PAGE}/style.css`]: 'p { margin: 0 }\n',
  'src/kit/psql.sh': 'exit\n',
  'src/kit/gone.sh': 'exit\n',
  'src/author/templates/report.sql': 'select\n',
  'test/main.test.ts': "import '../src/main.ts'\n",
  'test/gone.test.ts': "import '../src/gone/gone.ts'\n",
}

describe('make build', () => {
  const folder = temporaryFolder()
  const pathOf = (file: string) => join(folder, file)
  // why: with `-o`, make does not install packages: the test uses those of this checkout
  const build = (...variables: string[]) =>
    execFileSync('make', ['-o', 'node_modules/.installed', 'build', ...variables], { cwd: folder })

  function write(file: string, text: string): void {
    mkdirSync(dirname(pathOf(file)), { recursive: true })
    writeFileSync(pathOf(file), text)
  }

  before(() => {
    for (const part of [
      'Makefile',
      'config',
      'package.json',
      'tsconfig.json',
      `${PAGE}/tsconfig.json`,
    ]) {
      cpSync(part, pathOf(part), { recursive: true })
    }
    symlinkSync(join(process.cwd(), 'node_modules'), pathOf('node_modules'))
    for (const [file, text] of Object.entries(SOURCES)) write(file, text)
    build()
  })

  const exist = (...outputs: string[]) =>
    outputs.filter(output => existsSync(pathOf(`dist/${output}`)))

  it('writes the revision, of git or as given, for `svodka_build_info`', () => {
    const revision = () => readFileSync(pathOf('dist/revision'), 'utf8').trim()
    expect(revision(), 'without git').to.equal('')
    build('SVODKA_REVISION=v7')
    expect(revision()).to.equal('v7')
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder })
    git('init', '--quiet')
    git('add', 'package.json')
    git('commit', '--quiet', '--message=one')
    build()
    const commit = String(git('rev-parse', '--short=12', 'HEAD')).trim()
    expect(revision()).to.equal(commit)
    expect(revisionOfBuild() ?? '').to.equal(readFileSync('dist/revision', 'utf8').trim())
    rmSync(pathOf('.git'), { recursive: true })
  })

  it('deletes outputs of deleted sources and empty folders, and changes no others', () => {
    const gone = [
      'src/gone/gone.js',
      'src/gone/old.json',
      'src/kit/gone.sh',
      'test/gone.test.js',
      'test/gone.test.js.map',
    ]
    const others = [
      'src/main.js',
      'src/main.js.map',
      'src/data.json',
      'src/kit/psql.sh',
      `${PAGE}/main.js`,
      `${PAGE}/style.css`,
      'test/main.test.js',
    ]
    expect(exist(...gone, ...others)).to.deep.equal([...gone, ...others])
    // why: tsc does not write these
    write('dist/src/gone/gone.d.ts', 'export {}\n')
    write('dist/src/notes.txt', 'ours\n')
    rmSync(pathOf('src/gone'), { recursive: true })
    for (const source of ['src/kit/gone.sh', 'test/gone.test.ts']) rmSync(pathOf(source))
    const stateOf = (output: string) => {
      const { ino, mtimeMs } = statSync(pathOf(`dist/${output}`))
      return { output, ino, mtimeMs }
    }
    const before = others.map(stateOf)
    execFileSync(process.execPath, ['config/stale-outputs.js'], { cwd: folder })
    expect(others.map(stateOf)).to.deep.equal(before)
    build()
    expect(exist(...gone, 'src/gone', ...others, 'src/notes.txt')).to.deep.equal([
      ...others,
      'src/notes.txt',
    ])
  })
})
