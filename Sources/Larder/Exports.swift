// What an app gets with `import Larder`: the values events are made of, and the diary's rows.

@_exported public import LarderCapture
@_exported public import LarderKernel
@_exported public import LarderSQL
@_exported public import LarderStore
