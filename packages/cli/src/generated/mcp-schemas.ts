// Made by `npm run clients` from the OpenAPI documents. Do not edit.

import type { ToolSchemas, WriteToolSchemas } from '../mcp/tool-schemas.js';

export const READ_SCHEMAS = {
 "whoami": {
  "input": {
   "type": "object",
   "properties": {}
  },
  "output": {
   "type": "object",
   "properties": {
    "server": {
     "type": "string"
    },
    "tenant": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      }
     }
    },
    "key": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      },
      "role_name": {
       "type": "string"
      },
      "division_id": {
       "type": [
        "integer",
        "null"
       ]
      },
      "division_name": {
       "type": [
        "string",
        "null"
       ]
      },
      "expiry_at": {
       "type": "string"
      }
     }
    },
    "rights_to_change": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "write_tools": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   }
  }
 },
 "tree": {
  "input": {
   "type": "object",
   "properties": {}
  },
  "output": {
   "type": "object",
   "properties": {
    "tenant": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      },
      "divisions": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "id": {
          "type": "integer"
         },
         "name": {
          "type": "string"
         },
         "environments": {
          "type": "array",
          "items": {
           "type": "object",
           "properties": {
            "id": {
             "type": "integer"
            },
            "name": {
             "type": "string"
            },
            "deployments": {
             "type": "array",
             "items": {
              "type": "object",
              "properties": {
               "id": {
                "type": "integer"
               },
               "variant": {
                "type": "string"
               },
               "supervisor_url": {
                "type": [
                 "string",
                 "null"
                ]
               },
               "name": {
                "type": "string"
               },
               "code": {
                "type": "string"
               },
               "cloud": {
                "type": "string"
               },
               "region": {
                "type": "string"
               },
               "tier": {
                "type": "string"
               }
              }
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   }
  }
 },
 "find_deployments": {
  "input": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string",
     "description": "Only deployments whose name contains this text, without regard to case."
    },
    "status": {
     "type": "string",
     "description": "Only deployments with this status."
    },
    "cloud": {
     "type": "string",
     "enum": [
      "aws",
      "gcp"
     ],
     "description": "Only deployments in this cloud."
    },
    "region": {
     "type": "string",
     "description": "Only deployments in this region."
    },
    "tier": {
     "type": "string",
     "description": "Only deployments with this compute size."
    },
    "page": {
     "type": "integer"
    },
    "results": {
     "type": "integer"
    }
   }
  },
  "output": {
   "type": "object",
   "properties": {
    "found": {
     "type": "object",
     "properties": {
      "items": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "id": {
          "type": "integer"
         },
         "name": {
          "type": "string"
         },
         "code": {
          "type": "string"
         },
         "division_id": {
          "type": "integer"
         },
         "environment_id": {
          "type": "integer"
         },
         "variant": {
          "type": "string"
         },
         "cloud": {
          "type": "string"
         },
         "region": {
          "type": "string"
         },
         "tier": {
          "type": "string"
         },
         "status": {
          "type": "string"
         },
         "status_reason": {
          "type": [
           "string",
           "null"
          ]
         },
         "operation_id": {
          "type": [
           "integer",
           "null"
          ]
         }
        }
       }
      },
      "total_results": {
       "type": "integer"
      },
      "total_pages": {
       "type": "integer"
      }
     }
    }
   }
  }
 },
 "deployment": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    }
   },
   "required": [
    "deployment"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      },
      "code": {
       "type": "string"
      },
      "description": {
       "type": [
        "string",
        "null"
       ]
      },
      "division_id": {
       "type": "integer"
      },
      "environment_id": {
       "type": "integer"
      },
      "variant": {
       "type": "string"
      },
      "domain": {
       "type": [
        "string",
        "null"
       ]
      },
      "cloud": {
       "type": "string"
      },
      "region": {
       "type": "string"
      },
      "tier": {
       "type": "string"
      },
      "cluster": {
       "type": "string"
      },
      "managed_tier": {
       "type": "string"
      },
      "monthly_base": {
       "type": "number"
      },
      "storage": {
       "type": "object",
       "properties": {
        "type": {
         "type": "string"
        },
        "size": {
         "type": "integer"
        }
       }
      },
      "availability_mode": {
       "type": "string"
      },
      "protected": {
       "type": "boolean"
      },
      "status": {
       "type": "string"
      },
      "status_reason": {
       "type": [
        "string",
        "null"
       ]
      },
      "operation_id": {
       "type": [
        "integer",
        "null"
       ]
      },
      "pending_upgrade": {
       "type": [
        "object",
        "null"
       ],
       "properties": {
        "tier": {
         "type": "string"
        },
        "operation_id": {
         "type": "integer"
        }
       }
      },
      "nodes_count": {
       "type": "integer"
      },
      "can_upgrade": {
       "type": "boolean"
      },
      "warnings": {
       "type": "array",
       "items": {
        "type": "string"
       }
      },
      "created_at": {
       "type": "string"
      }
     }
    },
    "nodes": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "id": {
        "type": "integer"
       },
       "name": {
        "type": "string"
       },
       "role": {
        "type": "string"
       },
       "status": {
        "type": "string"
       },
       "status_reason": {
        "type": [
         "string",
         "null"
        ]
       },
       "config_version": {
        "type": [
         "integer",
         "null"
        ]
       },
       "runtimes": {
        "type": "array",
        "items": {
         "type": "object",
         "properties": {
          "runtime": {
           "type": "string"
          },
          "status": {
           "type": "string"
          },
          "version": {
           "type": "string"
          }
         }
        }
       }
      }
     }
    },
    "backups": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "id": {
        "type": "integer"
       },
       "name": {
        "type": "string"
       },
       "backup_type": {
        "type": "string"
       },
       "status": {
        "type": "string"
       },
       "size_bytes": {
        "type": "integer"
       },
       "completed_at": {
        "type": [
         "string",
         "null"
        ]
       }
      }
     }
    },
    "missing": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   }
  }
 },
 "connection": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    }
   },
   "required": [
    "deployment"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "nodes": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "id": {
        "type": "integer"
       },
       "name": {
        "type": "string"
       },
       "driver": {
        "type": "string"
       },
       "endpoints": {
        "type": "object",
        "properties": {
         "tcp": {
          "type": [
           "string",
           "null"
          ]
         },
         "http": {
          "type": [
           "string",
           "null"
          ]
         },
         "websocket": {
          "type": [
           "string",
           "null"
          ]
         },
         "udp": {
          "type": [
           "string",
           "null"
          ]
         }
        }
       }
      }
     }
    },
    "username": {
     "type": [
      "string",
      "null"
     ]
    },
    "access_rules": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "id": {
        "type": "integer"
       },
       "name": {
        "type": "string"
       },
       "cidr_blocks": {
        "type": "array",
        "items": {
         "type": "string"
        }
       },
       "rules": {
        "type": "object",
        "properties": {
         "broker_tcp": {
          "type": "boolean"
         },
         "broker_http": {
          "type": "boolean"
         },
         "broker_websocket": {
          "type": "boolean"
         },
         "broker_udp": {
          "type": "boolean"
         }
        }
       },
       "valid_to": {
        "type": [
         "string",
         "null"
        ]
       }
      }
     }
    },
    "missing": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   }
  }
 },
 "why_unhealthy": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    }
   },
   "required": [
    "deployment"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "findings": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "deployment": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      },
      "status": {
       "type": "string"
      },
      "status_reason": {
       "type": [
        "string",
        "null"
       ]
      },
      "operation_id": {
       "type": [
        "integer",
        "null"
       ]
      }
     }
    },
    "nodes": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "id": {
        "type": "integer"
       },
       "name": {
        "type": "string"
       },
       "status": {
        "type": "string"
       },
       "status_reason": {
        "type": [
         "string",
         "null"
        ]
       },
       "runtimes": {
        "type": "array",
        "items": {
         "type": "object",
         "properties": {
          "runtime": {
           "type": "string"
          },
          "status": {
           "type": "string"
          }
         }
        }
       },
       "agent": {
        "type": "object",
        "properties": {
         "last_heartbeat_at": {
          "type": [
           "string",
           "null"
          ]
         }
        }
       }
      }
     }
    },
    "operations": {
     "type": "object",
     "properties": {
      "items": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "id": {
          "type": "integer"
         },
         "type": {
          "type": "string"
         },
         "status": {
          "type": "string"
         },
         "deployment_id": {
          "type": [
           "integer",
           "null"
          ]
         },
         "progress": {
          "type": "integer"
         },
         "reason": {
          "type": [
           "string",
           "null"
          ]
         },
         "incident": {
          "type": [
           "object",
           "null"
          ],
          "properties": {
           "id": {
            "type": "integer"
           },
           "opened_at": {
            "type": "string"
           },
           "kind": {
            "type": "string"
           },
           "detail": {
            "type": "string"
           }
          }
         },
         "created_at": {
          "type": "string"
         },
         "finished_at": {
          "type": [
           "string",
           "null"
          ]
         }
        }
       }
      }
     }
    },
    "logs": {
     "type": "object",
     "properties": {
      "items": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "at": {
          "type": "string"
         },
         "node_id": {
          "type": "integer"
         },
         "runtime": {
          "type": "string"
         },
         "level": {
          "type": "string"
         },
         "message": {
          "type": "string"
         }
        }
       }
      }
     }
    },
    "missing": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   }
  }
 },
 "operations": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "type": {
     "type": "string"
    },
    "status": {
     "type": "string",
     "enum": [
      "pending",
      "running",
      "succeeded",
      "failed",
      "cancelled"
     ],
     "description": "Only with this status."
    },
    "page": {
     "type": "integer"
    },
    "results": {
     "type": "integer"
    }
   }
  },
  "output": {
   "type": "object",
   "properties": {
    "found": {
     "type": "object",
     "properties": {
      "items": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "id": {
          "type": "integer"
         },
         "type": {
          "type": "string"
         },
         "status": {
          "type": "string"
         },
         "deployment_id": {
          "type": [
           "integer",
           "null"
          ]
         },
         "progress": {
          "type": "integer"
         },
         "reason": {
          "type": [
           "string",
           "null"
          ]
         },
         "incident": {
          "type": [
           "object",
           "null"
          ],
          "properties": {
           "id": {
            "type": "integer"
           },
           "opened_at": {
            "type": "string"
           },
           "kind": {
            "type": "string"
           },
           "detail": {
            "type": "string"
           }
          }
         },
         "created_at": {
          "type": "string"
         },
         "finished_at": {
          "type": [
           "string",
           "null"
          ]
         }
        }
       }
      },
      "total_results": {
       "type": "integer"
      },
      "total_pages": {
       "type": "integer"
      }
     }
    }
   }
  }
 },
 "operation": {
  "input": {
   "type": "object",
   "properties": {
    "operation_id": {
     "type": "integer"
    },
    "wait": {
     "type": "integer",
     "description": "Seconds to wait for the end."
    }
   },
   "required": [
    "operation_id"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "operation": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "type": {
       "type": "string"
      },
      "status": {
       "type": "string"
      },
      "deployment_id": {
       "type": [
        "integer",
        "null"
       ]
      },
      "progress": {
       "type": "integer"
      },
      "reason": {
       "type": [
        "string",
        "null"
       ]
      },
      "incident": {
       "type": [
        "object",
        "null"
       ],
       "properties": {
        "id": {
         "type": "integer"
        },
        "opened_at": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "detail": {
         "type": "string"
        }
       }
      },
      "created_at": {
       "type": "string"
      },
      "finished_at": {
       "type": [
        "string",
        "null"
       ]
      },
      "steps": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "status": {
          "type": "string"
         },
         "attempts": {
          "type": "integer"
         },
         "started_at": {
          "type": [
           "string",
           "null"
          ]
         },
         "finished_at": {
          "type": [
           "string",
           "null"
          ]
         },
         "error": {
          "type": [
           "string",
           "null"
          ]
         },
         "name": {
          "type": "string"
         }
        }
       }
      }
     }
    }
   }
  }
 },
 "metrics": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "node_id": {
     "type": "integer",
     "description": "A node of the deployment."
    },
    "runtime": {
     "type": "string",
     "enum": [
      "broker",
      "connectors"
     ],
     "description": "What runs on the node."
    },
    "from": {
     "type": "string",
     "description": "Start of the window, inclusive."
    },
    "to": {
     "type": "string",
     "description": "End of the window, exclusive."
    },
    "step": {
     "type": "integer",
     "description": "Seconds between two points."
    }
   },
   "required": [
    "deployment"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "latest": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "node_id": {
        "type": "integer"
       },
       "node": {
        "type": "string"
       },
       "runtime": {
        "type": "string"
       },
       "at": {
        "type": "string"
       },
       "reachable": {
        "type": "boolean"
       },
       "metrics": {
        "type": "object",
        "additionalProperties": {
         "type": "number"
        }
       }
      }
     }
    },
    "series": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "at": {
        "type": "string"
       },
       "metrics": {
        "type": "object",
        "additionalProperties": {
         "type": "number"
        }
       }
      }
     }
    }
   }
  }
 },
 "logs": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "runtime": {
     "type": "string",
     "enum": [
      "broker",
      "connectors",
      "agent"
     ],
     "description": "Only what this runtime has printed."
    },
    "node": {
     "type": "integer"
    },
    "level": {
     "type": "string",
     "enum": [
      "debug",
      "info",
      "warn",
      "error"
     ]
    },
    "message": {
     "type": "string",
     "description": "Only lines that contain this text."
    },
    "from": {
     "type": "string",
     "description": "Start of the window, inclusive."
    },
    "to": {
     "type": "string",
     "description": "End of the window, exclusive."
    },
    "page": {
     "type": "integer"
    },
    "results": {
     "type": "integer"
    }
   },
   "required": [
    "deployment"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "found": {
     "type": "object",
     "properties": {
      "items": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "id": {
          "type": "integer"
         },
         "node_id": {
          "type": "integer"
         },
         "at": {
          "type": "string"
         },
         "runtime": {
          "type": "string"
         },
         "level": {
          "type": "string"
         },
         "message": {
          "type": "string"
         }
        }
       }
      },
      "total_results": {
       "type": "integer"
      },
      "total_pages": {
       "type": "integer"
      }
     }
    }
   }
  }
 },
 "config": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "version": {
     "type": "integer",
     "description": "Number of the version."
    },
    "against": {
     "type": "integer",
     "description": "Another version of the same configuration."
    }
   },
   "required": [
    "deployment"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "active": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      },
      "version": {
       "type": "integer"
      },
      "runtime_version": {
       "type": "string"
      },
      "runtime_outdated": {
       "type": "boolean"
      },
      "restart_required": {
       "type": "boolean"
      },
      "values": {
       "type": "object"
      }
     }
    },
    "versions": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "id": {
        "type": "integer"
       },
       "name": {
        "type": "string"
       },
       "version": {
        "type": "integer"
       },
       "primary": {
        "type": "boolean"
       },
       "author_id": {
        "type": [
         "integer",
         "null"
        ]
       },
       "created_at": {
        "type": "string"
       }
      }
     }
    },
    "changes": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "key": {
        "type": "string"
       },
       "from": {},
       "to": {},
       "secret": {
        "type": "boolean"
       },
       "restart_required": {
        "type": "boolean"
       }
      }
     }
    },
    "missing": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   }
  }
 },
 "audit": {
  "input": {
   "type": "object",
   "properties": {
    "from": {
     "type": "string",
     "description": "Not older than this moment; a date alone is its midnight in UTC."
    },
    "to": {
     "type": "string",
     "description": "Older than this moment."
    },
    "author": {
     "type": "integer",
     "description": "The user that acted; 0 is the operator of the installation."
    },
    "api_key": {
     "type": "integer",
     "description": "The API key that was acted by."
    },
    "user": {
     "type": "integer",
     "description": "The user that was acted on."
    },
    "deployment": {
     "type": "integer",
     "description": "What happened to this deployment."
    },
    "types": {
     "type": "array",
     "items": {
      "type": "string"
     },
     "description": "Only of these types, with commas between them; GET /audit/types lists them all."
    },
    "correlation_id": {
     "type": "string",
     "description": "What belongs to this request or workflow: a UUID, or the 32 hex characters of a trace id."
    },
    "page": {
     "type": "integer"
    },
    "results": {
     "type": "integer"
    }
   }
  },
  "output": {
   "type": "object",
   "properties": {
    "found": {
     "type": "object",
     "properties": {
      "items": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "id": {
          "type": "integer"
         },
         "type": {
          "type": "string"
         },
         "author": {
          "type": [
           "object",
           "null"
          ],
          "properties": {
           "id": {
            "type": "integer"
           },
           "name": {
            "type": "string"
           }
          }
         },
         "api_key": {
          "type": "object",
          "properties": {
           "id": {
            "type": "integer"
           },
           "name": {
            "type": "string"
           }
          }
         },
         "user": {
          "type": [
           "object",
           "null"
          ],
          "properties": {
           "id": {
            "type": "integer"
           },
           "name": {
            "type": "string"
           }
          }
         },
         "deployment": {
          "type": [
           "object",
           "null"
          ],
          "properties": {
           "id": {
            "type": "integer"
           },
           "name": {
            "type": "string"
           }
          }
         },
         "data": {
          "type": [
           "object",
           "null"
          ]
         },
         "correlation_id": {
          "type": [
           "string",
           "null"
          ]
         },
         "timestamp": {
          "type": "string"
         }
        }
       }
      },
      "total_results": {
       "type": "integer"
      },
      "total_pages": {
       "type": "integer"
      }
     }
    }
   }
  }
 },
 "catalog": {
  "input": {
   "type": "object",
   "properties": {
    "cloud": {
     "type": "string"
    },
    "region": {
     "type": "string"
    }
   }
  },
  "output": {
   "type": "object",
   "properties": {
    "clouds": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "key": {
        "type": "string"
       },
       "name": {
        "type": "string"
       }
      }
     }
    },
    "regions": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "key": {
        "type": "string"
       },
       "name": {
        "type": "string"
       },
       "available": {
        "type": "boolean"
       }
      }
     }
    },
    "tiers": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "key": {
        "type": "string"
       },
       "available": {
        "type": "boolean"
       },
       "limit": {
        "type": "integer"
       },
       "vcpus": {
        "type": "number"
       },
       "memory_gib": {
        "type": "number"
       },
       "clusters": {
        "type": "array",
        "items": {
         "type": "string"
        }
       },
       "storages": {
        "type": "array",
        "items": {
         "type": "string"
        }
       },
       "rate_limit": {
        "type": [
         "string",
         "null"
        ]
       }
      }
     }
    },
    "storages": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "key": {
        "type": "string"
       },
       "description": {
        "type": "string"
       },
       "available": {
        "type": "boolean"
       },
       "clusters": {
        "type": "array",
        "items": {
         "type": "string"
        }
       }
      }
     }
    }
   }
  }
 },
 "price_preview": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "For an upgrade: id, name or code. Without it: a new deployment."
    },
    "cloud": {
     "type": "string",
     "enum": [
      "aws",
      "gcp"
     ]
    },
    "region": {
     "type": "string",
     "description": "A region of the cloud, with the name that the provider uses."
    },
    "managed_tier": {
     "type": "string",
     "enum": [
      "standard",
      "performance",
      "enterprise"
     ],
     "description": "Commercial terms; required for paid, left out for Free."
    },
    "tier": {
     "type": "string"
    },
    "storage": {
     "type": "object",
     "properties": {
      "type": {
       "type": "string",
       "enum": [
        "network_balanced",
        "local_ssd"
       ],
       "description": "Network Drive or Local NVMe; default Network Drive."
      },
      "size": {
       "type": "integer",
       "description": "GB per node, Network Drive only; default 100."
      }
     },
     "description": "Default: 100 GB of Network Drive per node."
    },
    "availability_mode": {
     "type": "string",
     "enum": [
      "single_az",
      "multi_az"
     ]
    }
   }
  },
  "output": {
   "type": "object",
   "properties": {
    "price": {
     "type": "object",
     "properties": {
      "nodes": {
       "type": "integer"
      },
      "monthly_base_usd": {
       "type": "number"
      },
      "monthly_total_usd": {
       "type": "number"
      },
      "breakdown": {
       "type": "object",
       "properties": {
        "compute_usd": {
         "type": "number"
        },
        "storage_usd": {
         "type": "number"
        },
        "network_usd": {
         "type": "number"
        }
       }
      },
      "warnings": {
       "type": "array",
       "items": {
        "type": "string"
       }
      },
      "blocked_by": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "code": {
          "type": "string"
         },
         "detail": {
          "type": "string"
         }
        }
       }
      },
      "orderable": {
       "type": "boolean"
      }
     }
    },
    "difference": {
     "type": "object",
     "properties": {
      "monthly_base_usd": {
       "type": "number"
      },
      "monthly_total_usd": {
       "type": "number"
      }
     }
    }
   }
  }
 },
 "usage": {
  "input": {
   "type": "object",
   "properties": {
    "from": {
     "type": "string",
     "description": "Not older than this moment; left out: the beginning of this calendar month in UTC."
    },
    "to": {
     "type": "string",
     "description": "Older than this moment; left out: now."
    },
    "page": {
     "type": "integer"
    },
    "results": {
     "type": "integer"
    }
   }
  },
  "output": {
   "type": "object",
   "properties": {
    "found": {
     "type": "object",
     "properties": {
      "items": {
       "type": "array",
       "items": {
        "type": "object",
        "properties": {
         "deployment": {
          "type": "object",
          "properties": {
           "id": {
            "type": "integer"
           },
           "name": {
            "type": "string"
           }
          }
         },
         "compute_hours": {
          "type": "string"
         },
         "storage_gb_hours": {
          "type": "string"
         },
         "transfer_gb": {
          "type": "string"
         },
         "total_usd": {
          "type": "string"
         }
        }
       }
      },
      "from": {
       "type": "string"
      },
      "to": {
       "type": "string"
      },
      "total_usd": {
       "type": "string"
      },
      "total_results": {
       "type": "integer"
      },
      "total_pages": {
       "type": "integer"
      }
     }
    }
   }
  }
 }
} satisfies Record<string, ToolSchemas>;

export const WRITE_SCHEMAS = {
 "create_starter": {
  "input": {
   "type": "object",
   "properties": {
    "division": {
     "type": "string",
     "description": "Id or name. Default: the only one."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "cloud": {
     "type": "string",
     "enum": [
      "aws",
      "gcp"
     ]
    },
    "region": {
     "type": "string",
     "description": "A region of the cloud."
    },
    "environment_name": {
     "type": "string",
     "description": "Name of an environment."
    },
    "deployment_name": {
     "type": "string",
     "description": "Name of the deployment; made up when left out."
    }
   },
   "required": [
    "idempotency_key",
    "cloud",
    "region"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment_id": {
     "type": "integer"
    },
    "operation_id": {
     "type": "integer"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 },
 "create_deployment": {
  "input": {
   "type": "object",
   "properties": {
    "environment": {
     "type": "string",
     "description": "Id or name. Default: the only one."
    },
    "max_monthly_usd": {
     "type": "number",
     "minimum": 0,
     "description": "Refuses a higher price per month."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "name": {
     "type": "string",
     "description": "Unique in the environment, without regard to case."
    },
    "cloud": {
     "type": "string",
     "enum": [
      "aws",
      "gcp"
     ]
    },
    "region": {
     "type": "string",
     "description": "A region of the cloud, with the name that the provider uses."
    },
    "managed_tier": {
     "type": "string",
     "enum": [
      "standard",
      "performance",
      "enterprise"
     ],
     "description": "Commercial terms; required for paid, left out for Free."
    },
    "tier": {
     "type": "string"
    },
    "cluster": {
     "type": "string",
     "enum": [
      "cluster",
      "standalone"
     ],
     "description": "`cluster` for paid, `standalone` for Free."
    },
    "storage": {
     "type": "object",
     "properties": {
      "type": {
       "type": "string",
       "enum": [
        "network_balanced",
        "local_ssd"
       ],
       "description": "Network Drive or Local NVMe; default Network Drive."
      },
      "size": {
       "type": "integer",
       "description": "GB per node, Network Drive only; default 100."
      }
     },
     "description": "Default: 100 GB of Network Drive per node."
    },
    "availability_mode": {
     "type": "string",
     "enum": [
      "single_az",
      "multi_az"
     ]
    },
    "description": {
     "type": [
      "string",
      "null"
     ],
     "description": "What the deployment is for."
    },
    "protected": {
     "type": "boolean",
     "description": "True: deletion needs a one-time code."
    }
   },
   "required": [
    "max_monthly_usd",
    "idempotency_key",
    "name",
    "cloud",
    "region",
    "tier",
    "cluster"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment_id": {
     "type": "integer"
    },
    "operation_id": {
     "type": "integer"
    },
    "monthly_total_usd": {
     "type": "number"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 },
 "upgrade_deployment": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "max_monthly_usd": {
     "type": "number",
     "minimum": 0,
     "description": "Refuses a higher price per month."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "tier": {
     "type": "string",
     "description": "A larger compute size."
    },
    "storage": {
     "type": "object",
     "properties": {
      "type": {
       "type": "string",
       "enum": [
        "network_balanced",
        "local_ssd"
       ],
       "description": "Network Drive or Local NVMe; default Network Drive."
      },
      "size": {
       "type": "integer",
       "description": "GB per node, Network Drive only; default 100."
      }
     },
     "description": "Larger Network Drive; the type stays."
    },
    "managed_tier": {
     "type": "string",
     "enum": [
      "standard",
      "performance",
      "enterprise"
     ],
     "description": "A higher managed tier."
    }
   },
   "required": [
    "deployment",
    "max_monthly_usd",
    "idempotency_key"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment_id": {
     "type": "integer"
    },
    "operation_id": {
     "type": "integer"
    },
    "monthly_total_usd": {
     "type": "number"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 },
 "add_access_rule": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "name": {
     "type": "string",
     "description": "Unique within the deployment, without regard to case."
    },
    "cidr_blocks": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "rules": {
     "type": "object",
     "properties": {
      "broker_tcp": {
       "type": "boolean"
      },
      "broker_http": {
       "type": "boolean",
       "description": "HTTP and the browser UI."
      },
      "broker_websocket": {
       "type": "boolean",
       "description": "WebSocket."
      },
      "broker_udp": {
       "type": "boolean"
      }
     },
     "description": "The protocols that the rule opens."
    },
    "valid_to": {
     "type": [
      "string",
      "null"
     ],
     "description": "End of the rule, in the future."
    }
   },
   "required": [
    "deployment",
    "idempotency_key",
    "name",
    "cidr_blocks",
    "rules"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "rule": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      },
      "cidr_blocks": {
       "type": "array",
       "items": {
        "type": "string"
       }
      },
      "rules": {
       "type": "object",
       "properties": {
        "broker_tcp": {
         "type": "boolean"
        },
        "broker_http": {
         "type": "boolean"
        },
        "broker_websocket": {
         "type": "boolean"
        },
        "broker_udp": {
         "type": "boolean"
        }
       }
      },
      "valid_to": {
       "type": [
        "string",
        "null"
       ]
      }
     }
    }
   }
  },
  "permissions": [
   "deployment:access:manage"
  ]
 },
 "rotate_credentials": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "overlap_seconds": {
     "type": "integer",
     "description": "Seconds for which the old password also works on every node."
    }
   },
   "required": [
    "deployment",
    "idempotency_key"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment_id": {
     "type": "integer"
    },
    "operation_id": {
     "type": "integer"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 },
 "apply_config": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "config_id": {
     "type": "integer",
     "description": "The id of \"active\" in the answer of \"config\"."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "values": {
     "type": "object",
     "description": "Values by section of the schema."
    }
   },
   "required": [
    "deployment",
    "config_id",
    "idempotency_key",
    "values"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment_id": {
     "type": "integer"
    },
    "operation_id": {
     "type": "integer"
    },
    "config": {
     "type": "object",
     "properties": {
      "id": {
       "type": "integer"
      },
      "name": {
       "type": "string"
      },
      "version": {
       "type": "integer"
      }
     }
    }
   }
  },
  "permissions": [
   "deployment:config:manage",
   "deployment:task:manage"
  ]
 },
 "create_backup": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "name": {
     "type": "string",
     "description": "Display name of the backup."
    },
    "expires_in_days": {
     "type": "integer",
     "description": "Days until the backup is deleted automatically."
    }
   },
   "required": [
    "deployment",
    "idempotency_key",
    "name"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "backup_id": {
     "type": "integer"
    },
    "operation_id": {
     "type": "integer"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 },
 "restore_backup": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "idempotency_key": {
     "type": "string",
     "minLength": 8,
     "maxLength": 200,
     "description": "New for each change; the same to repeat a call."
    },
    "backup_id": {
     "type": "integer"
    }
   },
   "required": [
    "deployment",
    "idempotency_key",
    "backup_id"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "operation_id": {
     "type": "integer"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 },
 "request_delete_code": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    }
   },
   "required": [
    "deployment"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment_id": {
     "type": "integer"
    },
    "name": {
     "type": "string"
    },
    "protected": {
     "type": "boolean"
    },
    "next": {
     "type": "string"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 },
 "delete_deployment": {
  "input": {
   "type": "object",
   "properties": {
    "deployment": {
     "type": "string",
     "description": "Id, name or code."
    },
    "code": {
     "type": "string",
     "pattern": "^[A-Z2-9]{8}$",
     "description": "What a person has typed from the mail."
    }
   },
   "required": [
    "deployment",
    "code"
   ]
  },
  "output": {
   "type": "object",
   "properties": {
    "deployment_id": {
     "type": "integer"
    },
    "operation_id": {
     "type": "integer"
    }
   }
  },
  "permissions": [
   "deployment:manage"
  ]
 }
} satisfies Record<string, WriteToolSchemas>;

export const VERSION = '0.1.0';

/** Permissions that allow changes. */
export const RIGHTS_TO_CHANGE: readonly string[] = [
 "info:manage",
 "member:manage",
 "role:manage",
 "api_key:manage",
 "settings:manage",
 "billing:manage",
 "division:manage",
 "environment:manage",
 "notifications:manage",
 "deployment:manage",
 "deployment:network:manage",
 "deployment:access:manage",
 "deployment:config:manage",
 "deployment:task:manage",
 "deployment:connector:manage"
];
