// A small config block as JSON: an application channel with two organisations.

const role = (name: string, mspId: string): unknown => ({
  principal: { msp_identifier: mspId, role: name },
  principal_classification: 'ROLE',
});

/** A policy that one member of an organisation with a role can satisfy. */
function signaturePolicy(name: string, mspId: string): unknown {
  return {
    mod_policy: 'Admins',
    policy: {
      type: 1,
      value: {
        identities: [role(name, mspId)],
        rule: { n_out_of: { n: 1, rules: [{ signed_by: 0 }] } },
        version: 0,
      },
    },
    version: '0',
  };
}

function majority(name: string): unknown {
  const policy = { type: 3, value: { rule: 'MAJORITY', sub_policy: name } };
  return { mod_policy: 'Admins', policy, version: '0' };
}

const value = (content: unknown): unknown => ({ mod_policy: 'Admins', value: content, version: '0' });

/** An organisation as `configtxgen -printOrg` writes it. */
export function organisation(mspId: string): unknown {
  return {
    groups: {},
    mod_policy: 'Admins',
    policies: {
      Admins: signaturePolicy('ADMIN', mspId),
      Readers: signaturePolicy('MEMBER', mspId),
      Writers: signaturePolicy('MEMBER', mspId),
    },
    values: {
      MSP: value({
        config: {
          name: mspId,
          root_certs: [Buffer.from(`-----BEGIN CERTIFICATE-----\n${mspId}\n`).toString('base64')],
        },
        type: 0,
      }),
    },
    version: '0',
  };
}

const CONFIG = {
  channel_group: {
    groups: {
      Application: {
        groups: { Org1MSP: organisation('Org1MSP'), Org2MSP: organisation('Org2MSP') },
        mod_policy: 'Admins',
        policies: { Admins: majority('Admins'), Readers: majority('Readers'), Writers: majority('Writers') },
        values: { Capabilities: value({ capabilities: { V2_5: {} } }) },
        version: '1',
      },
    },
    mod_policy: 'Admins',
    policies: { Admins: majority('Admins') },
    values: {
      HashingAlgorithm: value({ name: 'SHA256' }),
      OrdererAddresses: value({ addresses: ['orderer.example.com:7050'] }),
    },
    version: '0',
  },
  sequence: '3',
};

/** A `common.Block` with a config of the channel `mychannel`. */
export const CONFIG_BLOCK = {
  data: {
    data: [
      {
        payload: {
          data: { config: CONFIG },
          header: { channel_header: { channel_id: 'mychannel', type: 1 } },
        },
      },
    ],
  },
  header: { number: '3' },
};
