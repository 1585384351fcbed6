// Modules of restify that have no types of their own.

declare module 'restify/lib/router.js' {
  import type { ServerOptions } from 'restify';

  const Router: new (options: ServerOptions) => object;
  export default Router;
}

declare module 'restify/lib/server.js' {
  import type { Server as Instance, ServerOptions } from 'restify';

  const Server: new (options: Omit<ServerOptions, 'router'> & { router: object }) => Instance;
  export default Server;
}
